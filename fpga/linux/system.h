/* Where things are in the system that boots Linux (fpga/soc/hpp_soc.v); the device tree, the firmware and the bench read them here. */
#ifndef SYSTEM_H
#define SYSTEM_H

/* Memory: firmware, then the kernel's, then the entries that the profiler evicts. */
#define STRANGERS 0x00300000 /* what looks like a profiler (verif/soc/src/bin/linux/faults.rs), 4096 bytes each */
#define KERNEL 0x00400000
#define DEVICE_TREE 0x01c00000
#define INITRAMFS 0x01c10000
#define KERNEL_MEMORY 0x01a00000 /* bytes from KERNEL on */
#define DRAIN_MEMORY 0x01e00000
#define MEMORY 0x02000000 /* bytes in all */

/* Where the core caches nothing: the memory again, and devices. */
#define UNCACHED 0xe0000000
#define UART 0xf1000000
#define PROFILER 0xf2000000
#define FINISH 0xf3000000
#define TIMER 0xf4000000
#define DRAIN_WRITER 0xf5000000
#define PLIC 0xf6000000

#define CLOCK_HZ 100000000

#endif
