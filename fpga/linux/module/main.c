// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Device and sysfs of the hardware path profiler's PMU.
 */

#include <linux/cpumask.h>
#include <linux/interrupt.h>
#include <linux/io.h>
#include <linux/log2.h>
#include <linux/mod_devicetable.h>
#include <linux/module.h>
#include <linux/of.h>
#include <linux/platform_device.h>

#include "hpp.h"
#include "hpp_pmu.h"

static struct hpp_pmu *hpp_of(struct device *dev)
{
	return to_hpp(dev_get_drvdata(dev));
}

static ssize_t hpp_event_show(struct device *dev, struct device_attribute *attr, char *page)
{
	struct perf_pmu_events_attr *event = container_of(attr, struct perf_pmu_events_attr, attr);

	return sysfs_emit(page, "event=%#llx\n", event->id);
}

#define EVENT(name, config) PMU_EVENT_ATTR_ID(name, hpp_event_show, config)

static struct attribute *event_attrs[] = {
	EVENT(profile, HPP_PROFILE),
	EVENT(records, HPP_RECORDS),
	EVENT(paths, HPP_PATHS),
	EVENT(hits, HPP_HITS),
	EVENT(replacements, HPP_REPLACEMENTS),
	EVENT(splits, HPP_SPLITS),
	EVENT(underflows, HPP_UNDERFLOWS),
	EVENT(overflows, HPP_OVERFLOWS),
	EVENT(lost_records, HPP_LOST_RECORDS),
	NULL
};

static const struct attribute_group event_group = {
	.name = "events",
	.attrs = event_attrs,
};

PMU_FORMAT_ATTR(event, "config:0-63");

static struct attribute *format_attrs[] = {
	&format_attr_event.attr,
	NULL
};

static const struct attribute_group format_group = {
	.name = "format",
	.attrs = format_attrs,
};

static ssize_t cpus_show(struct device *dev, struct device_attribute *attr, char *page)
{
	return cpumap_print_to_pagebuf(true, page, cpumask_of(hpp_of(dev)->cpu));
}
static DEVICE_ATTR_RO(cpus);

static struct attribute *cpus_attrs[] = {
	&dev_attr_cpus.attr,
	NULL
};

static const struct attribute_group cpus_group = {
	.attrs = cpus_attrs,
};

/* Registers that say how the words of the AUX area are to be read, and what a path is. */
#define REGISTER(name, offset)									\
	static ssize_t name##_show(struct device *dev, struct device_attribute *attr, char *page) \
	{											\
		return sysfs_emit(page, "%#x\n", hpp_hardware_register(&hpp_of(dev)->hw, offset)); \
	}											\
	static DEVICE_ATTR_RO(name)

REGISTER(geometry0, HPP_GEOMETRY0_OFFSET);
REGISTER(geometry1, HPP_GEOMETRY1_OFFSET);
REGISTER(geometry2, HPP_GEOMETRY2_OFFSET);
REGISTER(geometry3, HPP_GEOMETRY3_OFFSET);
REGISTER(ppcr_rows, HPP_PPCR_ROWS_OFFSET);
REGISTER(ppcr_mode, HPP_PPCR_MODE_OFFSET);

static struct attribute *caps_attrs[] = {
	&dev_attr_geometry0.attr,
	&dev_attr_geometry1.attr,
	&dev_attr_geometry2.attr,
	&dev_attr_geometry3.attr,
	&dev_attr_ppcr_rows.attr,
	&dev_attr_ppcr_mode.attr,
	NULL
};

static const struct attribute_group caps_group = {
	.name = "caps",
	.attrs = caps_attrs,
};

static const struct attribute_group *hpp_groups[] = {
	&event_group,
	&format_group,
	&cpus_group,
	&caps_group,
	NULL
};

static irqreturn_t hpp_interrupt(int irq, void *data)
{
	return hpp_sinks_drain(data) ? IRQ_HANDLED : IRQ_NONE;
}

static int hpp_find_cpu(struct device *dev)
{
	struct device_node *node = of_parse_phandle(dev->of_node, "cpu", 0);
	int cpu;

	if (!node)
		return num_possible_cpus() == 1 ? 0 : -ENODEV;
	cpu = of_cpu_node_to_id(node);
	of_node_put(node);
	return cpu;
}

/* Which bit of a path's start tells the modes apart. */
static int hpp_find_privileged(struct hpp_pmu *hpp, struct device *dev)
{
	u32 address_bits = hpp->hw.geometry[0] >> HPP_GEOMETRY0_PC_BITS_SHIFT;
	u32 context_bits = hpp->hw.geometry[3] & HPP_GEOMETRY3_CONTEXT_BITS_MASK;
	u32 hart_bits = order_base_2(hpp->hw.harts);
	u32 bit;

	hpp->privileged = -1;
	if (of_property_read_u32(dev->of_node, "hpp,privileged-context-bit", &bit))
		return 0;
	if (bit >= context_bits - hart_bits)
		return dev_err_probe(dev, -EINVAL, "context bit %u of a profiler that has %u\n",
				     bit, context_bits - hart_bits);
	hpp->privileged = address_bits + bit;
	return 0;
}

static int hpp_request_irq(struct hpp_pmu *hpp, struct platform_device *pdev)
{
	int irq = platform_get_irq_optional(pdev, 0);
	int error;

	/* Evicted entries are taken when the scheduler switches, or lost and told. */
	if (irq == -ENXIO)
		return 0;
	if (irq < 0)
		return irq;
	error = devm_request_irq(&pdev->dev, irq, hpp_interrupt, IRQF_NOBALANCING | IRQF_NO_THREAD,
				 dev_name(&pdev->dev), hpp);
	if (error || !IS_ENABLED(CONFIG_SMP))
		return error;
	return irq_set_affinity(irq, cpumask_of(hpp->cpu));
}

static int hpp_probe(struct platform_device *pdev)
{
	struct device *dev = &pdev->dev;
	struct hpp_pmu *hpp;
	char *name;
	int error;

	hpp = devm_kzalloc(dev, sizeof(*hpp), GFP_KERNEL);
	if (!hpp)
		return -ENOMEM;
	INIT_LIST_HEAD(&hpp->sinks);
	hpp->hw.base = devm_platform_ioremap_resource_byname(pdev, "registers");
	if (IS_ERR(hpp->hw.base))
		return dev_err_probe(dev, PTR_ERR(hpp->hw.base), "no region \"registers\"\n");
	hpp->cpu = hpp_find_cpu(dev);
	if (hpp->cpu < 0)
		return dev_err_probe(dev, hpp->cpu, "property \"cpu\" does not name a hart\n");
	error = hpp_hardware_init(&hpp->hw, dev);
	if (error)
		return error;
	error = hpp_find_privileged(hpp, dev);
	if (error)
		return error;
	error = hpp_request_irq(hpp, pdev);
	if (error)
		return dev_err_probe(dev, error, "no interrupt\n");
	name = devm_kasprintf(dev, GFP_KERNEL, "hpp%d", hpp->cpu);
	if (!name)
		return -ENOMEM;
	hpp->pmu.module = THIS_MODULE;
	hpp->pmu.parent = dev;
	hpp->pmu.attr_groups = hpp_groups;
	hpp_event_setup(hpp);
	platform_set_drvdata(pdev, hpp);
	error = perf_pmu_register(&hpp->pmu, name, -1);
	if (error)
		return dev_err_probe(dev, error, "perf does not take the PMU\n");
	dev_info(dev, "%s: %u entries, a drain of %u, harts: %u\n", name, hpp->hw.entries,
		 hpp->hw.drain, hpp->hw.harts);
	return 0;
}

static void hpp_remove(struct platform_device *pdev)
{
	struct hpp_pmu *hpp = platform_get_drvdata(pdev);

	perf_pmu_unregister(&hpp->pmu);
}

static const struct of_device_id hpp_match[] = {
	{ .compatible = "hpp,path-profiler" },
	{ }
};
MODULE_DEVICE_TABLE(of, hpp_match);

static struct platform_driver hpp_driver = {
	.driver = {
		.name = "hpp_pmu",
		.of_match_table = hpp_match,
		/* Events hold the module; nothing would hold the device. */
		.suppress_bind_attrs = true,
	},
	.probe = hpp_probe,
	.remove = hpp_remove,
};
module_platform_driver(hpp_driver);

MODULE_DESCRIPTION("perf driver of the hardware path profiler HPP");
MODULE_LICENSE("Dual MIT/GPL");
