//! The registers as a CMSIS-SVD description.

use hpp_golden::registers::{Counter, DRAIN_LOST_COUNT_LO, TABLE_DATA};
use svd_rs::{
    Access, AddressBlock, AddressBlockUsage, BitRange, Device, EnumeratedValue, EnumeratedValues,
    FieldInfo, ModifiedWriteValues, PeripheralInfo, ReadAction, RegisterCluster, RegisterInfo,
    RegisterProperties, SvdError, ValidateLevel,
};

use crate::manifest::{FieldEntry, Manifest, RegisterEntry};

const LEVEL: ValidateLevel = ValidateLevel::Strict;

/// The SVD text. The base address is 0: where the profiler sits is the integrator's choice.
pub(crate) fn svd(manifest: &Manifest) -> Result<String, SvdError> {
    let name = manifest.top.to_uppercase();
    let registers = manifest
        .registers
        .iter()
        .map(register)
        .collect::<Result<Vec<_>, _>>()?;
    let block = AddressBlock::builder()
        .offset(0)
        .size(manifest.configuration.geometry.address_space())
        .usage(AddressBlockUsage::Registers)
        .build(LEVEL)?;
    let peripheral = PeripheralInfo::builder()
        .name(name.clone())
        .description(Some("Hardware path profiler".to_string()))
        .base_address(0)
        .address_block(Some(vec![block]))
        .registers(Some(registers))
        .build(LEVEL)?;
    let properties = RegisterProperties::new()
        .size(Some(32))
        .reset_mask(Some(u64::from(u32::MAX)));
    let device = Device::builder()
        .name(name)
        .version(manifest.version.clone())
        .description(format!(
            "Hardware path profiler, configuration {}; add the base address of your system",
            &manifest.configuration_hash[..16]
        ))
        .address_unit_bits(8)
        .width(32)
        .default_register_properties(properties.build(LEVEL)?)
        .peripherals(vec![peripheral.maybe_array(None)])
        .build(LEVEL)?;
    let Ok(text) = svd_encoder::encode(&device);
    Ok(text.trim_end().to_string() + "\n")
}

fn register(entry: &RegisterEntry) -> Result<RegisterCluster, SvdError> {
    let (access, modified) = match entry.access {
        "read-only" => (Access::ReadOnly, None),
        "write-only" => (Access::WriteOnly, None),
        "write-one-to-clear" => (Access::ReadWrite, Some(ModifiedWriteValues::OneToClear)),
        _ => (Access::ReadWrite, None),
    };
    let effects = (modified, read_action(entry.offset));
    let fields = entry.fields.iter().map(|entry| field(entry, effects));
    let register = RegisterInfo::builder()
        .name(entry.name.clone())
        .description(Some(entry.description.clone()))
        .address_offset(entry.offset)
        .access(Some(access))
        .modified_write_values(effects.0)
        .read_action(effects.1)
        .reset_value(Some(u64::from(entry.reset)))
        .fields(Some(fields.collect::<Result<_, _>>()?))
        .build(LEVEL)?;
    Ok(RegisterCluster::Register(register.maybe_array(None)))
}

/// What a read does besides, so that a debugger that shows all registers leaves alone what firmware reads in turn: TABLE_DATA goes on to its next
/// word, and the low word of a counter latches the high one.
fn read_action(offset: u32) -> Option<ReadAction> {
    let is_low = |counter: &Counter| counter.offset() == offset;
    let latches = Counter::ALL.iter().any(is_low) || offset == DRAIN_LOST_COUNT_LO.offset;
    if offset == TABLE_DATA.offset {
        return Some(ReadAction::Modify);
    }
    latches.then_some(ReadAction::ModifyExternal)
}

/// A field with the effects of an access to its register: some readers take them from fields, others from registers.
/// Registers alone say that another register changes: SystemRDL has no word for it, and PeakRDL refuses the file.
fn field(
    entry: &FieldEntry,
    (modified, action): (Option<ModifiedWriteValues>, Option<ReadAction>),
) -> Result<svd_rs::Field, SvdError> {
    let mut builder = FieldInfo::builder()
        .name(entry.name.clone())
        .description(Some(entry.description.clone()))
        .bit_range(BitRange::from_offset_width(entry.lsb, entry.width))
        .modified_write_values(modified)
        .read_action(action.filter(|action| *action != ReadAction::ModifyExternal));
    if !entry.values.is_empty() {
        // A value has one name here. That of the configuration comes last.
        let last = |place: usize| {
            let (named, later) = (&entry.values[place], &entry.values[place + 1..]);
            later
                .iter()
                .all(|other| other.value != named.value)
                .then_some(named)
        };
        let values = (0..entry.values.len()).filter_map(last).map(|named| {
            EnumeratedValue::builder()
                .name(named.name.clone())
                .value(Some(u64::from(named.value)))
                .build(LEVEL)
        });
        let values = EnumeratedValues::builder()
            .values(values.collect::<Result<_, _>>()?)
            .build(LEVEL)?;
        builder = builder.enumerated_values(vec![values]);
    }
    Ok(builder.build(LEVEL)?.maybe_array(None))
}
