"""Reads QR codes with Debian's readers, for `npm run study`.

The first line of output is a JSON list of the readers that are installed. Then, for each request on standard input, a
line of JSON, [[width, height, modules along a side], ...], and the pictures' bytes, one a pixel, it writes a line: {reader: [text or null]}.
"""

import ctypes
import json
import multiprocessing
import sys

try:
    import numpy
except ImportError:
    numpy = None


def zbar_reader():
    lib = ctypes.CDLL("libzbar.so.0")
    pointer = ctypes.c_void_p
    for name in ("image_scanner_create", "image_create", "image_first_symbol"):
        getattr(lib, "zbar_" + name).restype = pointer
    lib.zbar_symbol_get_data.restype = ctypes.c_char_p
    scanner = pointer(lib.zbar_image_scanner_create())
    qr_code, every, enable = 64, 0, 0
    lib.zbar_image_scanner_set_config(scanner, every, enable, 0)
    lib.zbar_image_scanner_set_config(scanner, qr_code, enable, 1)
    grey = int.from_bytes(b"Y800", "little")

    def read(width, height, pixels, modules):
        image = pointer(lib.zbar_image_create())
        lib.zbar_image_set_format(image, ctypes.c_ulong(grey))
        lib.zbar_image_set_size(image, width, height)
        lib.zbar_image_set_data(image, pixels, ctypes.c_ulong(len(pixels)), None)
        lib.zbar_scan_image(scanner, image)
        symbol = lib.zbar_image_first_symbol(image)
        text = lib.zbar_symbol_get_data(pointer(symbol)) if symbol else None
        lib.zbar_image_destroy(image)
        return text and text.decode("utf-8", "replace")

    return read


def zxing_reader():
    import zxingcpp

    def read(width, height, pixels, modules):
        picture = numpy.frombuffer(pixels, numpy.uint8).reshape(height, width)
        found = zxingcpp.read_barcodes(picture, formats=zxingcpp.BarcodeFormat.QRCode)
        return found[0].text if found else None

    return read


def sample(cv2, picture, corners, modules):
    """Returns the modules, True where light. As OpenCV 4.7 does, it moves the last corner to fit the alignment pattern."""
    side = modules * 8
    square = numpy.float32([[0, 0], [side, 0], [side, side], [0, side]])
    to_alignment = numpy.float64([[1, 0, 72 - side], [0, 1, 72 - side], [0, 0, 1]])
    _, ink = cv2.threshold(picture, 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
    best, least = None, 256
    for dx, dy in MOVES if modules > 21 else MOVES[:1]:
        moved = corners.astype(numpy.float32)
        moved[2] += dx * (moved[2] - moved[3]) / modules + dy * (moved[2] - moved[1]) / modules
        straighten = cv2.getPerspectiveTransform(moved, square)
        seen = cv2.warpPerspective(ink, to_alignment @ straighten, (40, 40), borderValue=255)
        off = cv2.absdiff(seen, ALIGNMENT).mean()
        if off < least:
            best, least = straighten, off
    straight = cv2.warpPerspective(ink, best, (side, side), borderValue=255)
    return straight.reshape(modules, 8, modules, 8).mean(axis=(1, 3)) > 127


def opencv_reader():
    """Debian's OpenCV finds codes and does not decode them. Its corners are sampled here, and ZXing decodes the modules."""
    import cv2
    import zxingcpp

    cv2.setNumThreads(1)
    detector = cv2.QRCodeDetector()

    def read(width, height, pixels, modules):
        picture = numpy.frombuffer(pixels, numpy.uint8).reshape(height, width)
        try:
            found, corners = detector.detect(picture)
        except cv2.error:
            return None
        if not found or not numpy.isfinite(corners).all():
            return None
        cells = sample(cv2, picture, corners.reshape(4, 2), modules)
        clean = numpy.pad(numpy.kron(cells * numpy.uint8(255), numpy.ones((4, 4), numpy.uint8)), 16, constant_values=255)
        decoded = zxingcpp.read_barcodes(clean, formats=zxingcpp.BarcodeFormat.QRCode, is_pure=True)
        return decoded[0].text if decoded else None

    return read


def quirc_reader():
    lib = quirc_library()
    whole = ctypes.c_int
    pointer = ctypes.c_void_p

    class Code(ctypes.Structure):
        _fields_ = [("corners", whole * 8), ("size", whole), ("cells", ctypes.c_uint8 * 3917)]

    class Data(ctypes.Structure):
        _fields_ = [
            ("header", whole * 4),
            ("payload", ctypes.c_uint8 * 8896),
            ("length", whole),
            ("eci", ctypes.c_uint32),
        ]

    lib.quirc_new.restype = pointer
    lib.quirc_begin.restype = pointer
    scanner = pointer(lib.quirc_new())
    code, data = Code(), Data()

    def read(width, height, pixels, modules):
        lib.quirc_resize(scanner, width, height)
        ctypes.memmove(lib.quirc_begin(scanner, None, None), pixels, len(pixels))
        lib.quirc_end(scanner)
        for i in range(lib.quirc_count(scanner)):
            lib.quirc_extract(scanner, i, ctypes.byref(code))
            if lib.quirc_decode(ctypes.byref(code), ctypes.byref(data)) == 0:
                return bytes(data.payload[: data.length]).decode("utf-8", "replace")
        return None

    return read


def quirc_library():
    for name in ("libquirc.so.1.2", "libquirc.so.1"):
        try:
            return ctypes.CDLL(name)
        except OSError:
            pass
    return ctypes.CDLL("libquirc.so")


if numpy:
    RINGS = numpy.maximum(*numpy.abs(numpy.mgrid[-2:3, -2:3]))
    ALIGNMENT = numpy.kron((RINGS == 1) * numpy.uint8(255), numpy.ones((8, 8), numpy.uint8))
MOVES = sorted(((x / 2, y / 2) for x in range(-2, 3) for y in range(-2, 3)), key=lambda move: abs(move[0]) + abs(move[1]))

READERS = (
    ("zbar", zbar_reader),
    ("zxing-cpp", zxing_reader),
    ("opencv", opencv_reader),
    ("quirc", quirc_reader),
)


class Isolated:
    """A reader in a process of its own: Debian's ZXing ends its process on some pictures, which then count as not read."""

    def __init__(self, create):
        create()  # says by an exception that the reader is not installed
        self.create = create
        self.start()

    def start(self):
        self.pipe, pipe = multiprocessing.Pipe()
        multiprocessing.Process(target=self.serve, args=(pipe,), daemon=True).start()
        pipe.close()

    def serve(self, pipe):
        self.pipe.close()
        read = self.create()
        while True:
            try:
                pipe.send(read(*pipe.recv()))
            except EOFError:
                return

    def __call__(self, *picture):
        try:
            self.pipe.send(picture)
            return self.pipe.recv()
        except (EOFError, OSError):
            self.start()
            return None


readers = {}
for name, create in READERS:
    try:
        readers[name] = Isolated(create)
    except (OSError, ImportError):
        pass


def answer(value):
    sys.stdout.write(json.dumps(value) + "\n")
    sys.stdout.flush()


answer(list(readers))
while line := sys.stdin.buffer.readline():
    texts = {name: [] for name in readers}
    for width, height, modules in json.loads(line):
        pixels = sys.stdin.buffer.read(width * height)
        for name, read in readers.items():
            texts[name].append(read(width, height, pixels, modules))
    answer(texts)
