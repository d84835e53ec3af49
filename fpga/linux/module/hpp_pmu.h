/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * perf driver of the hardware path profiler HPP.
 */
#ifndef HPP_PMU_H
#define HPP_PMU_H

#include <linux/bits.h>
#include <linux/list.h>
#include <linux/perf_event.h>
#include <linux/types.h>

struct device;

/* Words of the widest entry: start and outcomes of two words each, length, count. */
#define HPP_MOST_WORDS 6

/*
 * Of an entry's length, which is less: it is no path, but a loss. In the words of an entry, it has
 * how many evicted entries were lost, the upper word of their executions, HPP_LOSS with bits of
 * ERRORS, and the lower word.
 */
#define HPP_LOSS BIT(31)

/* Modes whose paths are profiled. */
#define HPP_USER BIT(0)
#define HPP_KERNEL BIT(1)
#define HPP_BOTH (HPP_USER | HPP_KERNEL)

/* attr.config: the profile itself, or a statistics counter. */
enum hpp_config {
	HPP_PROFILE,
	HPP_RECORDS,
	HPP_PATHS,
	HPP_HITS,
	HPP_REPLACEMENTS,
	HPP_SPLITS,
	HPP_UNDERFLOWS,
	HPP_OVERFLOWS,
	HPP_LOST_RECORDS,
	HPP_CONFIGS
};

/**
 * struct hpp_losses - what is in no profile
 * @errors: bits of ERRORS
 * @entries: evicted entries that found no place in the drain, or had no drain
 * @executions: of the paths of those that found no place
 */
struct hpp_losses {
	u32 errors;
	u32 entries;
	u64 executions;
};

/**
 * struct hpp_hardware - a profiler
 * @base: its registers
 * @geometry: GEOMETRY0 to GEOMETRY3
 * @entries: of the table
 * @entry_words: words of an entry, of the table and of the ring
 * @drain: places of the drain, 0 without one
 * @harts: how many share it
 * @rest: reads of a register that take longer than what is in flight
 * @lost: counts of losses at the last clear, or the last look at losses
 * @running: it takes records
 * @failed: the table was not cleared in its time
 */
struct hpp_hardware {
	void __iomem *base;
	u32 geometry[4];
	u32 entries;
	u32 entry_words;
	u32 drain;
	u32 harts;
	u32 rest;
	struct hpp_losses lost;
	bool running;
	bool failed;
};

typedef void (*hpp_emit_t)(void *data, const u32 *words);

int hpp_hardware_init(struct hpp_hardware *hw, struct device *dev);
void hpp_hardware_start(struct hpp_hardware *hw, u32 context, bool profiles);
void hpp_hardware_halt(struct hpp_hardware *hw);
void hpp_hardware_freeze(struct hpp_hardware *hw, bool freeze);
void hpp_hardware_clear(struct hpp_hardware *hw);
struct hpp_losses hpp_hardware_take_losses(struct hpp_hardware *hw);
u32 hpp_hardware_take_drain(struct hpp_hardware *hw, u32 most, hpp_emit_t emit, void *data);
void hpp_hardware_take_table(struct hpp_hardware *hw, hpp_emit_t emit, void *data);
u64 hpp_hardware_counter(struct hpp_hardware *hw, enum hpp_config counter);
u64 hpp_hardware_counter_mask(const struct hpp_hardware *hw);
u64 hpp_hardware_start_of(const struct hpp_hardware *hw, const u32 *words);
u32 hpp_hardware_register(struct hpp_hardware *hw, u32 offset);

/**
 * struct hpp_pmu - a PMU for a profiler
 * @pmu: what perf knows of it
 * @hw: the profiler
 * @cpu: number of its hart, or of the one that serves a profiler which harts share
 * @privileged: bit of a path's start that is 1 outside user mode, or -1
 * @sinks: profiles that are on the hardware
 * @counters: counters on the hardware that need a filter for these modes
 * @users: events on the hardware
 */
struct hpp_pmu {
	struct pmu pmu;
	struct hpp_hardware hw;
	int cpu;
	int privileged;
	struct list_head sinks;
	unsigned int counters[HPP_BOTH + 1];
	unsigned int users;
};

/**
 * struct hpp_sink - where the paths of a profile go
 * @event: whose profile it is
 * @node: among those on the hardware
 * @handle: of the AUX area, while something is written to it
 * @used: bytes written since
 * @on: between start and stop
 */
struct hpp_sink {
	struct perf_event *event;
	struct list_head node;
	struct perf_output_handle handle;
	unsigned long used;
	bool on;
};

static inline struct hpp_pmu *to_hpp(struct pmu *pmu)
{
	return container_of(pmu, struct hpp_pmu, pmu);
}

static inline bool hpp_is_shared(const struct hpp_pmu *hpp)
{
	return hpp->hw.harts > 1;
}

static inline unsigned int hpp_modes(const struct perf_event *event)
{
	return (event->attr.exclude_user ? 0 : HPP_USER) |
	       (event->attr.exclude_kernel ? 0 : HPP_KERNEL);
}

void hpp_event_setup(struct hpp_pmu *hpp);

void *hpp_sink_setup_aux(struct perf_event *event, void **pages, int nr_pages, bool overwrite);
void hpp_sink_free_aux(void *aux);
void hpp_sinks_flush(struct hpp_pmu *hpp);
bool hpp_sinks_drain(struct hpp_pmu *hpp);
void hpp_resume(struct hpp_pmu *hpp);

#endif
