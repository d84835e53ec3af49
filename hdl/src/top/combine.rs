//! The macro that makes a top for each combination of ingress and bus.

/// Makes a module for each ingress that contains a top for each bus, and the function `top` that selects one.
///
/// - `options` names the parameter of the tops that holds the [`IngressOptions`](crate::IngressOptions).
/// - An ingress is its module, its variant of [`Ingress`](crate::Ingress), its port bundle, named for one and for several
///   harts, and its circuit. `with options` passes the options to the constructor. `counts event_in` adds the event inputs.
/// - A bus is its variant of [`Bus`](crate::Bus), the name of its tops and the profiler circuit. A port bundle and the
///   circuit of its adapter follow, if it has one.
macro_rules! tops {
    (
        options $given:ident;
        ingresses { $(
            #[doc = $doc:tt]
            $module:ident for $variant:ident: $ports:ident, $hart_ports:ident: $bundle:ident $(with $shape:ident)?
                -> $circuit:ident $(with $options:ident)? $(, counts $event_in:ident, $hart_event_in:ident)?;
        )* }
        buses $buses:tt
    ) => {
        $(
            #[doc = $doc]
            pub mod $module {
                use super::*;

                tops! { @buses $given { $doc $ports $hart_ports $bundle [$($shape)?] $circuit [$($options)?] $($event_in $hart_event_in)? } $buses }
            }
        )*

        /// The top with this ingress and this bus.
        #[must_use]
        pub fn top(
            (ingress, bus): (Ingress, Bus),
            geometry: &Geometry,
            reset: &ResetValues,
            $given: &IngressOptions,
        ) -> Box<dyn Block> {
            match ingress {
                $(Ingress::$variant => $module::top(bus, geometry, reset, $given),)*
            }
        }
    };

    (@buses $given:ident $ingress:tt { $(
        #[doc = $doc:tt]
        $name:ident for $variant:ident: $profiler:ident $(, $ports:ident: $bundle:ident -> $circuit:ident)?;
    )* }) => {
        $(tops! { @top $given $ingress { $doc $name $profiler $($ports $bundle $circuit)? } })*

        /// The top with this bus.
        pub(super) fn top(
            bus: Bus,
            geometry: &Geometry,
            reset: &ResetValues,
            $given: &IngressOptions,
        ) -> Box<dyn Block> {
            match bus {
                $(Bus::$variant => Box::new($name::new(geometry, reset, $given)),)*
            }
        }
    };

    (
        @top $given:ident
        {
            $doc:tt $ports:ident $hart_ports:ident $bundle:ident [$($shape:ident)?] $circuit:ident [$($options:ident)?]
            $($event_in:ident $hart_event_in:ident)?
        }
        { $bus_doc:tt $name:ident $profiler:ident $($bus_ports:ident $bus_bundle:ident $bus:ident)? }
    ) => {
        #[doc = $doc]
        #[doc = $bus_doc]
        #[circuit(
            geometry: &Geometry,
            reset: &ResetValues,
            $given: &IngressOptions,
            let _options = $given,
            let single = geometry.harts == 1,
            let several = if single { 0 } else { geometry.harts }
        )]
        pub struct $name {
            /// Core.
            pub $ports: $bundle<geometry $(, $shape)?>,
            /// Each of several harts.
            pub $hart_ports: Vec<$bundle<{ &geometry.of_hart() } $(, $shape)?>, several>,
            $(
                /// External events of this cycle; event_select 2 counts the lowest input, 3 the next.
                pub $event_in: Signal<In, Bits<64, { geometry.event_bits * $given.event_inputs }>, single>,
                /// External events of this cycle at the hart; event_select 2 counts the lowest input, 3 the next.
                pub $hart_event_in: Vec<Signal<In, Bits<64, { geometry.event_bits * $given.event_inputs }>>, several>,
            )?
            /// Completed paths.
            pub path: PathSource<geometry>,
            /// Selected event type: 0 cycles, 1 instructions, 2 and above external inputs.
            pub event_select: Signal<Out, Bits<4>>,
            $(
                /// Disabled, and nothing is in flight: but for accesses, the clock may stand still.
                pub idle: Signal<Out, Bit>,
                /// Registers and table.
                pub $bus_ports: $bus_bundle<{ geometry.address_bits() }>,
                /// Evicted paths from the table.
                pub drain: DrainPort<geometry>,
                /// Level-sensitive interrupt: the drain level has reached DRAIN_CONTROL.WATERMARK.
                pub drain_irq: Signal<Out, Bit, { geometry.has_drain() }>,
                /// Event input: starts profiling if TRIGGER_CONTROL.START_EVENT is set.
                pub trigger_start: Signal<In, Bit, { geometry.triggers }>,
                /// Event input: stops profiling if TRIGGER_CONTROL.STOP_EVENT is set.
                pub trigger_stop: Signal<In, Bit, { geometry.triggers }>,
                /// Interrupt: TRIGGER_PATHS has reached 0; stays 1 until TRIGGER_STATUS.REACHED is cleared.
                pub trigger_irq: Signal<Out, Bit, { geometry.triggers }>,
            )?
            #[connect($ports, records = profiler.br $(, $event_in, event_select = profiler.event_select, enable = profiler.enabled)?)]
            ingress: Option<$circuit<geometry $(, $options)?>, single>,
            #[connect(
                $ports = $hart_ports[i], records = profiler.hart[i]
                $(, $event_in = $hart_event_in[i], event_select = profiler.event_select, enable = profiler.enabled)?
            )]
            hart_ingress: Vec<$circuit<{ &geometry.of_hart() } $(, $options)?>, several>,
            #[connect(path, event_select)]
            $(
                #[doc = concat!("Its registers are behind [`", stringify!($bus), "`].")]
                #[connect(access = bus.registers, idle, drain, drain_irq, trigger_start, trigger_stop, trigger_irq)]
            )?
            profiler: $profiler<geometry, reset>,
            $(
                #[connect($bus_ports)]
                bus: $bus<{ geometry.address_bits() }>,
            )?
        }

        #[kernel]
        impl $name {}
    };
}
