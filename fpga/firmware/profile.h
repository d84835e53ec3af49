/* The program's own use of the profiler: on before `main`, frozen after it, its table on the UART. Without a
 * profiler on the bus each of these does nothing. */
#ifndef PROFILE_H
#define PROFILE_H

void profile_start(void);
void profile_stop(void);
void profile_print(void);

/* Of a program that reads evicted entries in an interrupt (PROFILE_DRAIN_WATERMARK): its handler's part in C. */
void profile_interrupt(void);

#endif
