# The C side of uncompiled.py.
from libc.string cimport memcpy


cdef inline const unsigned char* readable(const unsigned char[::1] view) noexcept:
    return &view[0]


cdef inline unsigned char* writable(unsigned char[::1] view) noexcept:
    return &view[0]


cdef inline void copy(
    unsigned char* target, Py_ssize_t at, const unsigned char* source, Py_ssize_t start, Py_ssize_t size
) noexcept:
    memcpy(target + at, source + start, size)
