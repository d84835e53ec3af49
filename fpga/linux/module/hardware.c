// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Registers of the profiler. All is called on the hart of its PMU, with interrupts off.
 */

#include <linux/device.h>
#include <linux/io.h>
#include <linux/iopoll.h>

#include "hpp.h"
#include "hpp_pmu.h"

#define FIELD(word, name) (((word) & HPP_##name##_MASK) >> HPP_##name##_SHIFT)

/* What makes a profile incomplete, or wrong. */
#define LOSSES (HPP_ERRORS_DRAIN_LOST_MASK | HPP_ERRORS_RECORDS_LOST_MASK | \
		HPP_ERRORS_ACCUMULATOR_SATURATED_MASK)

static u32 get(struct hpp_hardware *hw, u32 offset)
{
	return readl(hw->base + offset);
}

static void set(struct hpp_hardware *hw, u32 offset, u32 value)
{
	writel(value, hw->base + offset);
}

/* A bus may finish a write while the core goes on: reading back waits for it. */
static void change(struct hpp_hardware *hw, u32 offset, u32 mask, u32 value)
{
	set(hw, offset, (get(hw, offset) & ~mask) | value);
	get(hw, offset);
}

u32 hpp_hardware_register(struct hpp_hardware *hw, u32 offset)
{
	return get(hw, offset);
}

/* Most cycles until the records that are in have been looked up, and counted. */
static u32 cycles_in_flight(const u32 *geometry)
{
	u32 of_record = HPP_HARTS(geometry) * HPP_LOOKUP_CYCLES(geometry) +
			HPP_REPAIR_CYCLES(geometry);

	return 32 + HPP_RECORDS_IN_FLIGHT(geometry) * of_record;
}

int hpp_hardware_init(struct hpp_hardware *hw, struct device *dev)
{
	static const u32 offsets[] = {HPP_GEOMETRY0_OFFSET, HPP_GEOMETRY1_OFFSET,
				      HPP_GEOMETRY2_OFFSET, HPP_GEOMETRY3_OFFSET};
	u32 id = get(hw, HPP_ID_OFFSET);
	u32 log2_drain, i;

	if (id != HPP_ID_VALUE)
		return dev_err_probe(dev, -ENODEV, "no profiler here: ID is %#x, not %#x\n",
				     id, HPP_ID_VALUE);
	for (i = 0; i < ARRAY_SIZE(hw->geometry); i++)
		hw->geometry[i] = get(hw, offsets[i]);
	hw->harts = HPP_HARTS(hw->geometry);
	hw->entries = FIELD(hw->geometry[0], GEOMETRY0_WAYS) <<
		      FIELD(hw->geometry[0], GEOMETRY0_LOG2_SETS);
	hw->entry_words = FIELD(hw->geometry[2], GEOMETRY2_ENTRY_WORDS);
	log2_drain = FIELD(hw->geometry[3], GEOMETRY3_LOG2_DRAIN_DEPTH);
	hw->drain = log2_drain ? BIT(log2_drain) : 0;
	/* No bus takes less than two cycles for a read. */
	hw->rest = cycles_in_flight(hw->geometry) / 2 + 1;
	if (!hw->entries || hw->entry_words < 4 || hw->entry_words > HPP_MOST_WORDS)
		return dev_err_probe(dev, -EINVAL, "sizes that this driver does not know\n");
	if (get(hw, HPP_CONTROL_OFFSET) & HPP_CONTROL_LOCK_MASK)
		return dev_err_probe(dev, -EPERM, "locked until its reset\n");
	hw->running = true;
	hpp_hardware_halt(hw);
	hpp_hardware_clear(hw);
	if (hw->failed)
		return dev_err_probe(dev, -ETIMEDOUT, "the profiler's table is not cleared\n");
	return 0;
}

void hpp_hardware_start(struct hpp_hardware *hw, u32 context, bool profiles)
{
	set(hw, HPP_CONTEXT_OFFSET, context);
	/* Half of the places are for entries evicted until the interrupt is served. */
	if (hw->drain)
		set(hw, HPP_DRAIN_CONTROL_OFFSET,
		    profiles ? hw->drain / 2 << HPP_DRAIN_CONTROL_WATERMARK_SHIFT : 0);
	hw->running = true;
	change(hw, HPP_CONTROL_OFFSET, HPP_CONTROL_ENABLE_MASK | HPP_CONTROL_FREEZE_MASK,
	       HPP_CONTROL_ENABLE_MASK);
}

/* The path stack is purged when it starts again: frames are of who runs now. */
void hpp_hardware_halt(struct hpp_hardware *hw)
{
	u32 i;

	if (!hw->running)
		return;
	change(hw, HPP_CONTROL_OFFSET, HPP_CONTROL_ENABLE_MASK, 0);
	for (i = 0; i < hw->rest; i++)
		get(hw, HPP_STATUS_OFFSET);
	hw->running = false;
}

static u64 get_wide(struct hpp_hardware *hw, u32 offset)
{
	/* The low word latches the high one. */
	u32 low = get(hw, offset);

	return (u64)get(hw, offset + 4) << 32 | low;
}

u64 hpp_hardware_counter(struct hpp_hardware *hw, enum hpp_config counter)
{
	return get_wide(hw, HPP_RECORDS_LO_OFFSET + 8 * (counter - HPP_RECORDS));
}

u64 hpp_hardware_counter_mask(const struct hpp_hardware *hw)
{
	return GENMASK_ULL(FIELD(hw->geometry[2], GEOMETRY2_COUNTER_BITS) - 1, 0);
}

/* What was lost since the last call, or the last clear. */
struct hpp_losses hpp_hardware_take_losses(struct hpp_hardware *hw)
{
	struct hpp_losses before = hw->lost, losses = {};

	losses.errors = get(hw, HPP_ERRORS_OFFSET) & LOSSES;
	if (hw->drain) {
		hw->lost.entries = get(hw, HPP_DRAIN_LOST_OFFSET);
		hw->lost.executions = get_wide(hw, HPP_DRAIN_LOST_COUNT_LO_OFFSET);
		losses.entries = hw->lost.entries - before.entries;
		losses.executions = hw->lost.executions - before.executions;
	} else {
		/* An evicted path is gone. */
		hw->lost.entries = hpp_hardware_counter(hw, HPP_REPLACEMENTS);
		losses.entries = (hw->lost.entries - before.entries) &
				 hpp_hardware_counter_mask(hw);
	}
	if (losses.errors)
		set(hw, HPP_ERRORS_OFFSET, losses.errors);
	return losses;
}

/* The table takes no path; the detector goes on. */
void hpp_hardware_freeze(struct hpp_hardware *hw, bool freeze)
{
	change(hw, HPP_CONTROL_OFFSET, HPP_CONTROL_FREEZE_MASK,
	       freeze ? HPP_CONTROL_FREEZE_MASK : 0);
}

void hpp_hardware_clear(struct hpp_hardware *hw)
{
	u32 status;

	if (hw->drain)
		set(hw, HPP_DRAIN_COMMAND_OFFSET, HPP_DRAIN_COMMAND_CLEAR_MASK);
	set(hw, HPP_COMMAND_OFFSET, HPP_COMMAND_CLEAR_MASK);
	set(hw, HPP_ERRORS_OFFSET, U32_MAX);
	/* Without a delay, it would wait for as many reads as the timeout has nanoseconds. */
	if (readl_poll_timeout_atomic(hw->base + HPP_STATUS_OFFSET, status,
				      !(status & HPP_STATUS_CLEARING_MASK), 1, 10000))
		hw->failed = true;
	hpp_hardware_take_losses(hw);
}

static bool start_is_wide(const struct hpp_hardware *hw)
{
	return FIELD(hw->geometry[0], GEOMETRY0_PC_BITS) +
	       FIELD(hw->geometry[3], GEOMETRY3_CONTEXT_BITS) > 32;
}

/* Emits up to `most` entries of the drain, in the words of the table; returns how many. */
u32 hpp_hardware_take_drain(struct hpp_hardware *hw, u32 most, hpp_emit_t emit, void *data)
{
	u32 taken = 0;

	while (hw->drain && taken < most && get(hw, HPP_DRAIN_STATUS_OFFSET)) {
		u32 words[HPP_MOST_WORDS], *word = words;

		*word++ = get(hw, HPP_DRAIN_START_LO_OFFSET);
		if (start_is_wide(hw))
			*word++ = get(hw, HPP_DRAIN_START_HI_OFFSET);
		*word++ = get(hw, HPP_DRAIN_OUTCOMES_LO_OFFSET);
		if (FIELD(hw->geometry[0], GEOMETRY0_MAX_BRANCHES) > 32)
			*word++ = get(hw, HPP_DRAIN_OUTCOMES_HI_OFFSET);
		*word++ = get(hw, HPP_DRAIN_LENGTH_OFFSET);
		*word++ = get(hw, HPP_DRAIN_COUNT_OFFSET);
		set(hw, HPP_DRAIN_COMMAND_OFFSET, HPP_DRAIN_COMMAND_TAKE_MASK);
		emit(data, words);
		taken++;
	}
	return taken;
}

void hpp_hardware_take_table(struct hpp_hardware *hw, hpp_emit_t emit, void *data)
{
	u32 number, i;

	set(hw, HPP_TABLE_INDEX_OFFSET, 0);
	for (number = 0; number < hw->entries; number++) {
		u32 words[HPP_MOST_WORDS];

		for (i = 0; i < hw->entry_words; i++)
			words[i] = get(hw, HPP_TABLE_DATA_OFFSET);
		/* A way that is empty has no count. */
		if (words[hw->entry_words - 1])
			emit(data, words);
	}
}

u64 hpp_hardware_start_of(const struct hpp_hardware *hw, const u32 *words)
{
	return start_is_wide(hw) ? (u64)words[1] << 32 | words[0] : words[0];
}
