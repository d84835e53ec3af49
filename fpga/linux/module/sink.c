// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Profiles: evicted and remaining entries go into the AUX areas of those whose it is.
 *
 * An AUX area is a sequence of entries, each in the words of TABLE_DATA, or a loss. A path may
 * come many times; its counts add up. The event counts the executions of all its paths, also of
 * those that found no room.
 */

#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>

#include "hpp.h"
#include "hpp_pmu.h"

struct hpp_aux {
	void *memory;
	unsigned long size;
};

void *hpp_sink_setup_aux(struct perf_event *event, void **pages, int nr_pages, bool overwrite)
{
	struct page **list;
	struct hpp_aux *aux;
	int i;

	/* Entries are added up: none may be written over. */
	if (overwrite || event->attr.config != HPP_PROFILE)
		return NULL;
	aux = kzalloc(sizeof(*aux), GFP_KERNEL);
	list = kcalloc(nr_pages, sizeof(*list), GFP_KERNEL);
	if (aux && list) {
		for (i = 0; i < nr_pages; i++)
			list[i] = virt_to_page(pages[i]);
		aux->size = (unsigned long)nr_pages << PAGE_SHIFT;
		aux->memory = vmap(list, nr_pages, VM_MAP, PAGE_KERNEL);
	}
	kfree(list);
	if (aux && !aux->memory) {
		kfree(aux);
		aux = NULL;
	}
	return aux;
}

void hpp_sink_free_aux(void *data)
{
	struct hpp_aux *aux = data;

	vunmap(aux->memory);
	kfree(aux);
}

static void sink_begin(struct hpp_sink *sink)
{
	sink->used = 0;
	/* Without an area that is mapped, the event only counts. */
	if (sink->on)
		perf_aux_output_begin(&sink->handle, sink->event);
	else
		sink->handle.event = NULL;
}

static void sink_put(struct hpp_sink *sink, const u32 *words, unsigned int bytes,
		     unsigned int reserve)
{
	struct perf_output_handle *handle = &sink->handle;
	unsigned long at, first;
	struct hpp_aux *aux;

	if (!handle->event)
		return;
	if (sink->used + bytes + reserve > handle->size) {
		perf_aux_output_flag(handle, PERF_AUX_FLAG_TRUNCATED);
		return;
	}
	aux = perf_get_aux(handle);
	at = (handle->head + sink->used) & (aux->size - 1);
	first = min_t(unsigned long, bytes, aux->size - at);
	memcpy(aux->memory + at, words, first);
	memcpy(aux->memory, (const u8 *)words + first, bytes - first);
	sink->used += bytes;
}

static void sink_end(struct hpp_sink *sink)
{
	if (sink->handle.event)
		perf_aux_output_end(&sink->handle, sink->used);
}

static void sink_put_losses(struct hpp_sink *sink, struct hpp_losses losses, unsigned int bytes)
{
	u32 words[HPP_MOST_WORDS] = {losses.entries, upper_32_bits(losses.executions)};
	u32 *count = words + bytes / sizeof(*words) - 1;

	if (!sink->handle.event)
		return;
	count[-1] = HPP_LOSS | losses.errors;
	count[0] = lower_32_bits(losses.executions);
	sink_put(sink, words, bytes, 0);
	perf_aux_output_flag(&sink->handle, PERF_AUX_FLAG_PARTIAL);
}

/* An entry goes to every profile that has its mode. */
static void emit(void *data, const u32 *words)
{
	struct hpp_pmu *hpp = data;
	unsigned int mode = HPP_BOTH, bytes = hpp->hw.entry_words * sizeof(u32);
	u64 start = hpp_hardware_start_of(&hpp->hw, words);
	struct hpp_sink *sink;

	if (hpp->privileged >= 0)
		mode = start >> hpp->privileged & 1 ? HPP_KERNEL : HPP_USER;
	list_for_each_entry(sink, &hpp->sinks, node) {
		if (!sink->on || !(hpp_modes(sink->event) & mode))
			continue;
		local64_add(words[hpp->hw.entry_words - 1], &sink->event->count);
		/* What was lost finds room behind all paths. */
		sink_put(sink, words, bytes, bytes);
	}
}

static void begin_all(struct hpp_pmu *hpp)
{
	struct hpp_sink *sink;

	list_for_each_entry(sink, &hpp->sinks, node)
		sink_begin(sink);
}

static void end_all(struct hpp_pmu *hpp)
{
	struct hpp_losses losses = hpp_hardware_take_losses(&hpp->hw);
	unsigned int bytes = hpp->hw.entry_words * sizeof(u32);
	struct hpp_sink *sink;

	list_for_each_entry(sink, &hpp->sinks, node) {
		if (losses.errors || losses.entries)
			sink_put_losses(sink, losses, bytes);
		sink_end(sink);
	}
}

/* Hands out all that is in the profiler, and empties it: what comes then is of others. */
void hpp_sinks_flush(struct hpp_pmu *hpp)
{
	bool running = hpp->hw.running;

	hpp_hardware_halt(&hpp->hw);
	if (!list_empty(&hpp->sinks)) {
		begin_all(hpp);
		hpp_hardware_take_drain(&hpp->hw, U32_MAX, emit, hpp);
		hpp_hardware_take_table(&hpp->hw, emit, hpp);
		end_all(hpp);
	}
	hpp_hardware_clear(&hpp->hw);
	if (running)
		hpp_resume(hpp);
}

static bool shows_kernel(struct hpp_pmu *hpp)
{
	struct hpp_sink *sink;

	list_for_each_entry(sink, &hpp->sinks, node)
		if (hpp_modes(sink->event) & HPP_KERNEL)
			return true;
	return false;
}

/* Hands out what waits in the drain, whose interrupt asked for it; whether anything did. */
bool hpp_sinks_drain(struct hpp_pmu *hpp)
{
	bool freezes = !hpp_is_shared(hpp) || shows_kernel(hpp);
	struct hpp_sink *sink;
	u32 taken;

	/* With the kernel's paths, this loop's own would evict others: it would not end. */
	if (freezes)
		hpp_hardware_freeze(&hpp->hw, true);
	begin_all(hpp);
	/* Other harts may evict as fast as this one takes. */
	taken = hpp_hardware_take_drain(&hpp->hw, hpp->hw.drain, emit, hpp);
	/* What they do while the table takes no path is in no profile. */
	if (freezes && hpp_is_shared(hpp)) {
		list_for_each_entry(sink, &hpp->sinks, node)
			if (sink->handle.event)
				perf_aux_output_flag(&sink->handle, PERF_AUX_FLAG_PARTIAL);
	}
	end_all(hpp);
	if (freezes)
		hpp_hardware_freeze(&hpp->hw, false);
	return taken;
}
