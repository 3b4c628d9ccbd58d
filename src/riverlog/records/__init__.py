"""Record batches, message format 2: header view, CRC, compression, builder, decoder, checks."""

from riverlog.records.aborted import AbortFilter
from riverlog.records.builder import BatchBuilder
from riverlog.records.compression import Codec, compress, decompress
from riverlog.records.control import (
    ControlMessage,
    ControlType,
    control_batch,
    control_record,
    control_type,
    decode_control,
    end_txn_marker,
)
from riverlog.records.decoder import Header, Record, decode_records
from riverlog.records.errors import CorruptBatch, DecompressedTooLarge, UnsupportedMagic
from riverlog.records.header import HEADER_SIZE, BatchHeader, crc_ok, iter_headers, patch, read_header
from riverlog.records.validate import ValidationConfig, ValidBatch, record_errors, validate_produce

__all__ = [
    "HEADER_SIZE",
    "AbortFilter",
    "BatchBuilder",
    "BatchHeader",
    "Codec",
    "ControlMessage",
    "ControlType",
    "CorruptBatch",
    "DecompressedTooLarge",
    "Header",
    "Record",
    "UnsupportedMagic",
    "ValidBatch",
    "ValidationConfig",
    "compress",
    "control_batch",
    "control_record",
    "control_type",
    "crc_ok",
    "decode_control",
    "decode_records",
    "decompress",
    "end_txn_marker",
    "iter_headers",
    "patch",
    "read_header",
    "record_errors",
    "validate_produce",
]
