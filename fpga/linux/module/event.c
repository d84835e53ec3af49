// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Events. perf calls with interrupts off, on the profiler's hart; between pmu_disable and
 * pmu_enable the profiler takes no records.
 *
 * A hart has one profiler, and events share it. When a profile comes or goes, as the scheduler
 * switches, what is in the profiler is handed out to those that were there.
 *
 * Harts may share a profiler: one table, one filter. What one hart's scheduler switched would be
 * switched for all. So its events are of all harts together and of no process, one hart serves
 * them, and the profiler goes on between pmu_disable and pmu_enable, which are about that hart.
 */

#include <linux/smp.h>
#include <linux/slab.h>

#include "hpp.h"
#include "hpp_pmu.h"

/* Counters of paths count those that the filter of modes shows; all others, every mode. */
static bool is_filtered(const struct perf_event *event)
{
	return event->attr.config >= HPP_PATHS && event->attr.config <= HPP_REPLACEMENTS;
}

static bool has_modes(const struct perf_event *event)
{
	return event->attr.config == HPP_PROFILE || is_filtered(event);
}

/* Modes that the filter has to show. */
static unsigned int modes_on(const struct hpp_pmu *hpp)
{
	unsigned int all = 0, modes;
	struct hpp_sink *sink;

	list_for_each_entry(sink, &hpp->sinks, node)
		all |= hpp_modes(sink->event);
	for (modes = HPP_USER; modes <= HPP_BOTH; modes++)
		if (hpp->counters[modes])
			all |= modes;
	return all;
}

/* A profile takes what is its own out of what is shown. A counter cannot. */
static bool fits(const struct hpp_pmu *hpp, const struct perf_event *event)
{
	unsigned int all, modes;

	/* While another profile is handed out, it would lack what the other harts do. */
	if (hpp_is_shared(hpp) && event->attr.config == HPP_PROFILE && !list_empty(&hpp->sinks))
		return false;
	if (!has_modes(event))
		return true;
	all = modes_on(hpp) | hpp_modes(event);
	if (is_filtered(event) && all != hpp_modes(event))
		return false;
	for (modes = HPP_USER; modes <= HPP_BOTH; modes++)
		if (hpp->counters[modes] && all != modes)
			return false;
	return true;
}

void hpp_resume(struct hpp_pmu *hpp)
{
	unsigned int modes = modes_on(hpp);
	u32 filter = 0;

	if (!hpp->users)
		return;
	if (hpp->privileged >= 0 && (modes == HPP_USER || modes == HPP_KERNEL)) {
		u32 address_bits = hpp->hw.geometry[0] >> HPP_GEOMETRY0_PC_BITS_SHIFT;
		u32 bit = BIT(hpp->privileged - address_bits);

		filter = bit << HPP_CONTEXT_MASK_SHIFT;
		if (modes == HPP_KERNEL)
			filter |= bit << HPP_CONTEXT_VALUE_SHIFT;
	}
	hpp_hardware_start(&hpp->hw, filter, !list_empty(&hpp->sinks));
}

/* Of another hart: task contexts are switched there, too. */
static bool is_elsewhere(const struct hpp_pmu *hpp)
{
	return smp_processor_id() != hpp->cpu;
}

static void hpp_pmu_enable(struct pmu *pmu)
{
	if (!is_elsewhere(to_hpp(pmu)))
		hpp_resume(to_hpp(pmu));
}

static void hpp_pmu_disable(struct pmu *pmu)
{
	if (!is_elsewhere(to_hpp(pmu)))
		hpp_hardware_halt(&to_hpp(pmu)->hw);
}

static struct hpp_sink *sink_of(struct perf_event *event)
{
	return event->attr.config == HPP_PROFILE ? event->pmu_private : NULL;
}

static void hpp_event_read(struct perf_event *event)
{
	struct hpp_pmu *hpp = to_hpp(event->pmu);
	u64 now, before;

	/* A profile is counted as it is handed out. */
	if (sink_of(event))
		return;
	now = hpp_hardware_counter(&hpp->hw, event->attr.config);
	before = local64_xchg(&event->hw.prev_count, now);
	local64_add((now - before) & hpp_hardware_counter_mask(&hpp->hw), &event->count);
}

static void hpp_event_start(struct perf_event *event, int flags)
{
	struct hpp_pmu *hpp = to_hpp(event->pmu);

	if (sink_of(event))
		sink_of(event)->on = true;
	else
		local64_set(&event->hw.prev_count,
			    hpp_hardware_counter(&hpp->hw, event->attr.config));
	event->hw.state = 0;
}

static void hpp_event_stop(struct perf_event *event, int flags)
{
	if (event->hw.state & PERF_HES_STOPPED)
		return;
	if (sink_of(event)) {
		hpp_sinks_flush(to_hpp(event->pmu));
		sink_of(event)->on = false;
	} else {
		hpp_event_read(event);
	}
	event->hw.state = PERF_HES_STOPPED | PERF_HES_UPTODATE;
}

static int hpp_event_add(struct perf_event *event, int flags)
{
	struct hpp_pmu *hpp = to_hpp(event->pmu);

	if (hpp->hw.failed)
		return -EIO;
	if (!fits(hpp, event))
		return -EAGAIN;
	event->hw.state = PERF_HES_STOPPED | PERF_HES_UPTODATE;
	if (sink_of(event)) {
		hpp_sinks_flush(hpp);
		list_add_tail(&sink_of(event)->node, &hpp->sinks);
	} else if (is_filtered(event)) {
		hpp->counters[hpp_modes(event)]++;
	}
	hpp->users++;
	if (hpp_is_shared(hpp))
		hpp_resume(hpp);
	if (flags & PERF_EF_START)
		hpp_event_start(event, PERF_EF_RELOAD);
	perf_event_update_userpage(event);
	return 0;
}

static void hpp_event_del(struct perf_event *event, int flags)
{
	struct hpp_pmu *hpp = to_hpp(event->pmu);

	hpp_event_stop(event, PERF_EF_UPDATE);
	if (sink_of(event))
		list_del(&sink_of(event)->node);
	else if (is_filtered(event))
		hpp->counters[hpp_modes(event)]--;
	hpp->users--;
	if (hpp_is_shared(hpp) && !hpp->users)
		hpp_hardware_halt(&hpp->hw);
	perf_event_update_userpage(event);
}

/* Whether the filter can serve both in one group. */
static bool goes_with(const struct perf_event *event, const struct perf_event *other)
{
	if (other->pmu != event->pmu || !has_modes(event) || !has_modes(other))
		return true;
	return (!is_filtered(event) && !is_filtered(other)) || hpp_modes(event) == hpp_modes(other);
}

static bool group_is_possible(struct perf_event *event)
{
	struct perf_event *sibling;

	if (!goes_with(event, event->group_leader))
		return false;
	for_each_sibling_event(sibling, event->group_leader)
		if (!goes_with(event, sibling))
			return false;
	return true;
}

static void hpp_event_destroy(struct perf_event *event)
{
	kfree(event->pmu_private);
}

static int hpp_event_init(struct perf_event *event)
{
	struct hpp_pmu *hpp;
	struct hpp_sink *sink;

	if (event->attr.type != event->pmu->type)
		return -ENOENT;
	hpp = to_hpp(event->pmu);
	if (event->cpu >= 0 && event->cpu != hpp->cpu)
		return -EINVAL;
	if (event->attr.config >= HPP_CONFIGS || event->attr.config1 || event->attr.config2)
		return -EINVAL;
	if (is_sampling_event(event) || has_branch_stack(event) || event->attr.exclude_idle)
		return -EOPNOTSUPP;
	/* Who may not see the kernel must not be told of it. */
	if (hpp_modes(event) != HPP_BOTH && (hpp->privileged < 0 || !has_modes(event)))
		return -EOPNOTSUPP;
	if (!hpp_modes(event) || !group_is_possible(event))
		return -EINVAL;
	if (event->attr.config != HPP_PROFILE)
		return 0;
	sink = kzalloc(sizeof(*sink), GFP_KERNEL);
	if (!sink)
		return -ENOMEM;
	sink->event = event;
	event->pmu_private = sink;
	event->destroy = hpp_event_destroy;
	return 0;
}

static bool hpp_pmu_filter(struct pmu *pmu, int cpu)
{
	return cpu != to_hpp(pmu)->cpu;
}

void hpp_event_setup(struct hpp_pmu *hpp)
{
	struct pmu *pmu = &hpp->pmu;

	if (hpp_is_shared(hpp)) {
		pmu->task_ctx_nr = perf_invalid_context;
	} else {
		pmu->task_ctx_nr = perf_hw_context;
		pmu->pmu_enable = hpp_pmu_enable;
		pmu->pmu_disable = hpp_pmu_disable;
	}
	pmu->capabilities = PERF_PMU_CAP_NO_INTERRUPT;
	pmu->event_init = hpp_event_init;
	pmu->add = hpp_event_add;
	pmu->del = hpp_event_del;
	pmu->start = hpp_event_start;
	pmu->stop = hpp_event_stop;
	pmu->read = hpp_event_read;
	pmu->filter = hpp_pmu_filter;
	pmu->setup_aux = hpp_sink_setup_aux;
	pmu->free_aux = hpp_sink_free_aux;
}
