//! The registers as a CMSIS-SVD description.

use svd_rs::{
    Access, AddressBlock, AddressBlockUsage, BitRange, Device, EnumeratedValue, EnumeratedValues,
    FieldInfo, ModifiedWriteValues, PeripheralInfo, RegisterCluster, RegisterInfo,
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
        .description(Some("Hot path profiler".to_string()))
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
            "Hot path profiler, configuration {}; add the base address of your system",
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
    let fields = entry
        .fields
        .iter()
        .map(field)
        .collect::<Result<Vec<_>, _>>()?;
    let (access, modified) = match entry.access {
        "read-only" => (Access::ReadOnly, None),
        "write-only" => (Access::WriteOnly, None),
        "write-one-to-clear" => (Access::ReadWrite, Some(ModifiedWriteValues::OneToClear)),
        _ => (Access::ReadWrite, None),
    };
    let register = RegisterInfo::builder()
        .name(entry.name.clone())
        .description(Some(entry.description.clone()))
        .address_offset(entry.offset)
        .access(Some(access))
        .modified_write_values(modified)
        .reset_value(Some(u64::from(entry.reset)))
        .fields(Some(fields))
        .build(LEVEL)?;
    Ok(RegisterCluster::Register(register.maybe_array(None)))
}

fn field(entry: &FieldEntry) -> Result<svd_rs::Field, SvdError> {
    let mut builder = FieldInfo::builder()
        .name(entry.name.clone())
        .description(Some(entry.description.clone()))
        .bit_range(BitRange::from_offset_width(entry.lsb, entry.width));
    if !entry.values.is_empty() {
        let values = entry.values.iter().map(|named| {
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
