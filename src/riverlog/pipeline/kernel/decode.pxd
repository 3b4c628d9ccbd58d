# The C types of decode.py.
cimport cython
from riverlog.pipeline.kernel.memory cimport copy, readable, writable

cdef Py_ssize_t RECORD_BYTES_MIN
cdef Py_ssize_t RECORD_BYTES_MAX
cdef long long MILLIS_MAX
cdef long long OFFSET_MAX
cdef Py_ssize_t NO_ROOM
cdef Py_ssize_t INT32_MAX
cdef long long FAR
cdef Py_ssize_t HEADER_SIZE, LOG_OVERHEAD, MAGIC
cdef Py_ssize_t _LENGTH, _MAGIC, _ATTRIBUTES, _COUNT, _CRC, _LAST_DELTA, _BASE_TIME, _MAX_TIME


@cython.locals(raw=cython.ulonglong, byte=cython.ulonglong, shift=cython.int)
cdef (long long, Py_ssize_t) read_number(const unsigned char* data, Py_ssize_t at, Py_ssize_t limit) except *


@cython.locals(number=cython.longlong, place=cython.Py_ssize_t)
cdef long long read_int(const unsigned char* data, Py_ssize_t at, Py_ssize_t size) noexcept


@cython.final
cdef class Batch:
    cdef const unsigned char[::1] view
    cdef object whole
    cdef Py_ssize_t size
    cdef readonly Py_ssize_t place
    cdef Py_ssize_t attributes
    cdef readonly Py_ssize_t at
    cdef readonly Py_ssize_t limit
    cdef readonly Py_ssize_t left
    cdef long long base_offset
    cdef long long last_delta
    cdef long long delta
    cdef long long timestamp
    cdef long long earliest
    cdef long long latest
    cdef bint append_time
    cdef long long start
    cdef long long end

    @cython.locals(
        start=cython.Py_ssize_t, left=cython.Py_ssize_t, data=cython.p_const_uchar, size=cython.longlong,
        base_offset=cython.longlong, last_delta=cython.longlong, count=cython.longlong,
        timestamp=cython.longlong, time_at=cython.Py_ssize_t,
    )
    cdef bint advance(self) except -1


@cython.final
cdef class BytesColumn:
    cdef int[::1] ends
    cdef unsigned char[::1] content
    cdef unsigned char[::1] valid
    cdef Py_ssize_t slots
    cdef Py_ssize_t room
    cdef readonly Py_ssize_t count
    cdef readonly Py_ssize_t end
    cdef readonly Py_ssize_t nulls

    @cython.locals(size=cython.longlong)
    cdef Py_ssize_t add(self, const unsigned char* data, Py_ssize_t at, Py_ssize_t limit) except -1


@cython.final
cdef class HeaderColumns:
    cdef int[::1] ends
    cdef unsigned char[::1] valid
    cdef BytesColumn keys
    cdef BytesColumn values
    cdef Py_ssize_t rows_max
    cdef Py_ssize_t slots
    cdef Py_ssize_t room
    cdef readonly Py_ssize_t missing

    @cython.locals(size=cython.uchar, count=cython.longlong)
    cdef Py_ssize_t add(
        self, const unsigned char* data, Py_ssize_t at, Py_ssize_t limit, Py_ssize_t row
    ) except -1


@cython.final
cdef class Columns:
    cdef long long[::1] offsets
    cdef long long[::1] timestamps
    cdef BytesColumn keys
    cdef BytesColumn values
    cdef HeaderColumns headers
    cdef Py_ssize_t rows_max
    cdef Py_ssize_t room
    cdef readonly Py_ssize_t rows
    cdef readonly Py_ssize_t missing

    @cython.locals(
        data=cython.p_const_uchar, length=cython.longlong, at=cython.Py_ssize_t, stop=cython.Py_ssize_t,
        millis=cython.longlong, delta=cython.longlong, offset=cython.longlong,
    )
    cdef bint _fill(self, Batch batch) except -1

    cpdef bint fill(self, Batch batch) except -1

    @cython.locals(delta=cython.longlong)
    cdef (long long, Py_ssize_t) _timestamp(
        self, Batch batch, const unsigned char* data, Py_ssize_t at, Py_ssize_t limit
    ) except *
