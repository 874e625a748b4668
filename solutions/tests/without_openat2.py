"""Starts a program for which Linux has no call `openat2`: `without_openat2.py PROGRAM ARGUMENT…`"""

import ctypes
import errno
import os
import struct
import sys

OPENAT2 = 437
PR_SET_SECCOMP, SECCOMP_MODE_FILTER, PR_SET_NO_NEW_PRIVS = 22, 2, 38
LOAD, JUMP_IF_EQUAL, RETURN = 0x20, 0x15, 0x06
FAIL, ALLOW = 0x50000, 0x7FFF0000


class Filter(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("steps", ctypes.c_void_p)]


def step(code, value, if_false=0):
    return struct.pack("HBBI", code, 0, if_false, value)


libc = ctypes.CDLL(None, use_errno=True)
steps = [
    step(LOAD, 0),
    step(JUMP_IF_EQUAL, OPENAT2, if_false=1),
    step(RETURN, FAIL | errno.ENOSYS),
    step(RETURN, ALLOW),
]
code = ctypes.create_string_buffer(b"".join(steps))
program = Filter(len(steps), ctypes.cast(code, ctypes.c_void_p))
assert libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0
assert libc.prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, ctypes.byref(program)) == 0
assert libc.syscall(OPENAT2, -1, None, None, 0) == -1
assert ctypes.get_errno() == errno.ENOSYS, os.strerror(ctypes.get_errno())
os.execv(sys.argv[1], sys.argv[1:])
