# The C types of encode.py.
cimport cython
from riverlog.pipeline.kernel.memory cimport copy, readable, writable

cdef long long RECORD_BYTES_MAX
cdef unsigned int MURMUR_SEED
cdef unsigned int MURMUR_MULTIPLIER
cdef unsigned int LOW_32_BITS


@cython.locals(raw=cython.ulonglong)
cdef Py_ssize_t number_size(long long number) noexcept

@cython.locals(raw=cython.ulonglong)
cdef Py_ssize_t write_number(unsigned char* out, Py_ssize_t at, long long number) noexcept


@cython.final
cdef class BytesField:
    cdef const int[::1] ends
    cdef const unsigned char[::1] content
    cdef const unsigned char[::1] valid
    cdef Py_ssize_t first_bit
    cdef readonly Py_ssize_t count
    cdef bint nullable

    @cython.locals(bit=cython.Py_ssize_t, start=cython.longlong, size=cython.longlong)
    cdef inline Py_ssize_t size(self, Py_ssize_t row) except -2

    cdef inline Py_ssize_t write(
        self, unsigned char* out, Py_ssize_t at, Py_ssize_t row, Py_ssize_t size
    ) noexcept


@cython.final
cdef class HeaderFields:
    cdef const int[::1] ends
    cdef const unsigned char[::1] valid
    cdef Py_ssize_t first_bit
    cdef Py_ssize_t rows
    cdef bint nullable
    cdef BytesField keys
    cdef BytesField values
    cdef Py_ssize_t total

    @cython.locals(bit=cython.Py_ssize_t, start=cython.longlong, count=cython.longlong)
    cdef Py_ssize_t count(self, Py_ssize_t row) except -1

    @cython.locals(
        total=cython.Py_ssize_t, first=cython.Py_ssize_t, item=cython.Py_ssize_t,
        key=cython.Py_ssize_t, value=cython.Py_ssize_t,
    )
    cdef Py_ssize_t size(self, Py_ssize_t row, Py_ssize_t count) except -1

    @cython.locals(first=cython.Py_ssize_t, item=cython.Py_ssize_t)
    cdef Py_ssize_t write(
        self, unsigned char* out, Py_ssize_t at, Py_ssize_t row, Py_ssize_t count
    ) except -1


@cython.final
cdef class Rows:
    cdef BytesField keys
    cdef BytesField values
    cdef const long long[::1] millis
    cdef HeaderFields headers
    cdef readonly Py_ssize_t rows
    cdef readonly Py_ssize_t at
    cdef readonly Py_ssize_t missing
    cdef readonly long long max_timestamp

    @cython.locals(
        place=cython.p_uchar, first=cython.Py_ssize_t, key_size=cython.Py_ssize_t, value_size=cython.Py_ssize_t,
        headers=cython.Py_ssize_t, header_bytes=cython.Py_ssize_t, size=cython.Py_ssize_t,
        delta=cython.longlong,
    )
    cpdef Py_ssize_t write(
        self, unsigned char[::1] out, Py_ssize_t at, Py_ssize_t limit, Py_ssize_t row
    ) except -1


@cython.locals(hashed=cython.uint, word=cython.uint, at=cython.Py_ssize_t, stop=cython.Py_ssize_t, rest=cython.int)
cdef unsigned int murmur2(const unsigned char* data, Py_ssize_t start, Py_ssize_t size) noexcept

@cython.locals(row=cython.Py_ssize_t, size=cython.Py_ssize_t)
cpdef choose_partitions(BytesField keys, unsigned int partitions, int[::1] out)
