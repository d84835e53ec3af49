// C interface of one verilated model: the whole surface the Rust side calls.
//
// "ports.inc" is written beside this file for each model; it lists the ports as
// VERILATED_PORT("verilog name", direction, width, member).
#include "Vmodel.h"
#include "verilated.h"
#if VM_COVERAGE
#include "verilated_cov.h"
#endif

#include <cstdarg>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <memory>
#include <stdexcept>
#include <string>

#define VERILATED_EXPORT extern "C" __attribute__((visibility("default")))

namespace {

// Where $display and messages of the running model go; set on every entry.
thread_local std::string* sink = nullptr;

enum Status : int { RUNNING = 0, FINISHED = 1, FAILED = 2 };

struct Port {
    const char* name;
    uint32_t direction;  // 0 input, 1 output
    uint32_t width;      // bits
};

struct Instance {
    VerilatedContext context;
    std::string output;
    std::unique_ptr<Vmodel> model;
    bool failed = false;
};

const Port PORTS[] = {
#define VERILATED_PORT(name, direction, width, member) {name, direction, width},
#include "ports.inc"
#undef VERILATED_PORT
    {nullptr, 0, 0}};

// The value of a port, if it is one of those asked for.
template <bool Asked, class Member>
void put_word(Member& member, uint64_t value) {
    if constexpr (Asked) member = static_cast<Member>(value);
}

template <bool Asked, class Member>
void take_word(const Member& member, uint64_t& value) {
    if constexpr (Asked) value = member;
}

// Runs `body` as the thread's current model; a C++ exception becomes a failure with its text.
template <class Body>
int guarded(Instance* self, Body body) {
    if (self->failed) return FAILED;
    sink = &self->output;
    Verilated::threadContextp(&self->context);
    try {
        body();
    } catch (const std::exception& e) {
        self->output += e.what();
        self->context.gotError(true);
    }
    sink = nullptr;
    if (self->context.gotError()) {
        self->failed = true;
        return FAILED;
    }
    return self->context.gotFinish() ? FINISHED : RUNNING;
}

void step(Instance* self, CData* clock, CData level) {
    *clock = level;
    self->model->eval();
    self->context.timeInc(1);
}

}  // namespace

// The runtime prints through this instead of printf (VL_PRINTF).
int verilated_shim_printf(const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    va_list again;
    va_copy(again, arguments);
    const int length = std::vsnprintf(nullptr, 0, format, again);
    va_end(again);
    if (length > 0 && sink) {
        std::string text(static_cast<size_t>(length) + 1, '\0');
        std::vsnprintf(&text[0], text.size(), format, arguments);
        text.pop_back();
        sink->append(text);
    }
    va_end(arguments);
    return length;
}

// Replaces the runtime's own vl_fatal, which ends the process.
void vl_fatal(const char* file, int line, const char*, const char* message) {
    std::string text = "%Error: ";
    if (file && file[0]) text += std::string(file) + ":" + std::to_string(line) + ": ";
    throw std::runtime_error(text + message + "\n");
}

VERILATED_EXPORT const Port* shim_ports() { return PORTS; }

VERILATED_EXPORT Instance* shim_new(int argc, const char* const* argv) {
    try {
        auto self = std::make_unique<Instance>();
        sink = &self->output;
        self->context.fatalOnError(false);
        self->context.commandArgs(argc, const_cast<char**>(argv));
        self->model = std::make_unique<Vmodel>(&self->context, "TOP");
        sink = nullptr;
        return self.release();
    } catch (const std::exception&) {
        sink = nullptr;
        return nullptr;
    }
}

VERILATED_EXPORT void shim_delete(Instance* self) {
    guarded(self, [&] { self->model->final(); });
    sink = &self->output;
    Verilated::threadContextp(&self->context);
    self->model.reset();
    sink = nullptr;
    delete self;
}

VERILATED_EXPORT void shim_addresses(Instance* self, void** addresses) {
    size_t index = 0;
#define VERILATED_PORT(name, direction, width, member) addresses[index++] = &self->model->member;
#include "ports.inc"
#undef VERILATED_PORT
}

VERILATED_EXPORT int shim_eval(Instance* self) {
    return guarded(self, [&] { self->model->eval(); });
}

VERILATED_EXPORT int shim_step(Instance* self, void* clock, int level) {
    return guarded(self, [&] { step(self, static_cast<CData*>(clock), static_cast<CData>(level)); });
}

// One cycle: every input, clock low and settle, every output, clock high.
VERILATED_EXPORT int shim_cycle(Instance* self, void* clock, const uint64_t* inputs, uint64_t* outputs) {
    CData* const clk = static_cast<CData*>(clock);
    return guarded(self, [&] {
        Vmodel* const model = self->model.get();
        size_t index = 0;
#define VERILATED_PORT(name, direction, width, member) \
    put_word<(direction) == 0 && (width) <= 64>(model->member, inputs[index++]);
#include "ports.inc"
#undef VERILATED_PORT
        step(self, clk, 0);
        index = 0;
#define VERILATED_PORT(name, direction, width, member) \
    take_word<(direction) == 1 && (width) <= 64>(model->member, outputs[index++]);
#include "ports.inc"
#undef VERILATED_PORT
        step(self, clk, 1);
    });
}

VERILATED_EXPORT uint64_t shim_time(Instance* self) { return self->context.time(); }

VERILATED_EXPORT size_t shim_output(Instance* self, const char** text) {
    *text = self->output.data();
    return self->output.size();
}

VERILATED_EXPORT int shim_coverage(Instance* self, const char* path) {
#if VM_COVERAGE
    sink = &self->output;
    Verilated::threadContextp(&self->context);
    int written = 0;
    try {
        self->context.coveragep()->write(path);
        written = 1;
    } catch (const std::exception& e) {
        self->output += e.what();
    }
    sink = nullptr;
    return written;
#else
    (void)self;
    (void)path;
    return 0;
#endif
}
