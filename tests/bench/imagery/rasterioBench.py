"""The same work with rasterio (GDAL) and numpy, as a careful Python programmer would do it.

usage: rasterioBench.py '{"url": …, "fields": "fields.json", "out": …, "threads": 1}'  — prints one measurement as JSON
"""

import hashlib, json, os, re, sys, time
from concurrent.futures import ThreadPoolExecutor

os.environ.update(
    GDAL_DISABLE_READDIR_ON_OPEN="EMPTY_DIR",
    CPL_VSIL_CURL_ALLOWED_EXTENSIONS=".tif",
    GDAL_HTTP_MERGE_CONSECUTIVE_RANGES="YES",
    GDAL_INGESTED_BYTES_AT_OPEN="32768",
    CPL_VSIL_CURL_CACHE_SIZE=str(256 << 20),
    # A plain integer below 100,000 means megabytes.
    GDAL_CACHEMAX="2048",
)

import numpy as np
import rasterio
from rasterio.features import rasterize
from rasterio.windows import Window

MARGIN = 2
BAD = np.isin(np.arange(256), [0, 1, 3, 8, 9, 10, 11])


def window_of(ring, transform):
    xs = [(x - transform.c) / transform.a for x, _ in ring]
    ys = [(transform.f - y) / -transform.e for _, y in ring]
    left, top = int(min(xs) // 2) * 2, int(min(ys) // 2) * 2
    return left, top, int(-(-max(xs) // 2)) * 2 - left, int(-(-max(ys) // 2)) * 2 - top


def grown(mask, pixels):
    for axis in (0, 1):
        out = mask.copy()
        for shift in range(1, pixels + 1):
            lower, upper = [slice(None)] * 2, [slice(None)] * 2
            lower[axis], upper[axis] = slice(shift, None), slice(None, -shift)
            out[tuple(lower)] |= mask[tuple(upper)]
            out[tuple(upper)] |= mask[tuple(lower)]
        mask = out
    return mask


def read_band(url, name, windows):
    with rasterio.open(f"/vsicurl/{url}/{name}.tif") as source:
        if name == "scl":
            return [
                source.read(1, window=Window(c // 2 - MARGIN, r // 2 - MARGIN, w // 2 + 2 * MARGIN, h // 2 + 2 * MARGIN))
                for c, r, w, h in windows
            ]
        return [source.read(1, window=Window(c, r, w, h)) for c, r, w, h in windows]


def half_up(values):
    return np.floor(values + 0.5)


def statistics(values, low, high):
    q = np.percentile(values, [2, 25, 50, 75, 98])
    return [values.min(), *q, values.mean(), values.max(), values.std(), values.size, np.histogram(values, 20, (low, high))[0].tolist()]


def write(path, data, transform, nodata, predictor):
    bands = data if data.ndim == 3 else data[None]
    height, width = bands.shape[1:]
    with rasterio.open(
        path, "w", driver="GTiff", width=width, height=height, count=bands.shape[0], dtype=bands.dtype,
        crs="EPSG:32633", transform=transform, nodata=nodata, compress="deflate", zlevel=6, predictor=predictor,
        tiled=True, blockxsize=-(-width // 16) * 16, blockysize=-(-height // 16) * 16, interleave="pixel",
    ) as target:
        target.write(bands)
        target.update_tags(fieldId=path)
    with open(path, "rb") as written:
        hashlib.sha256(written.read()).hexdigest()


def layers(folder, index, bands, ring, window, transform):
    os.makedirs(folder, exist_ok=True)
    column, row, width, height = window
    here = transform * transform.translation(column, row)
    field = rasterize([({"type": "Polygon", "coordinates": [ring]}, 1)], (height, width), transform=here, dtype="uint8") == 1
    scl = bands["scl"][index]
    hidden = BAD[scl] | grown(np.isin(scl, (8, 9)), 2) | grown(scl == 3, 1)
    inside = hidden[MARGIN:-MARGIN, MARGIN:-MARGIN]
    clear = ~np.repeat(np.repeat(inside, 2, 0), 2, 1)
    red, green, blue, nir = (bands[name][index] for name in ("red", "green", "blue", "nir"))
    valid = field & clear & (red > 0) & (nir > 0)
    r, n = np.maximum(red, 1) / 10000.0, np.maximum(nir, 1) / 10000.0
    padded = np.pad(field, 1)
    inner = ~grown(~padded, 1)[1:-1, 1:-1] & valid
    speaking = inner if inner.sum() >= 100 else valid

    r64, n64 = np.maximum(red, 1).astype("float64"), np.maximum(nir, 1).astype("float64")
    ndvi = ((n64 - r64) / (n64 + r64)).astype("float32")
    stats = [statistics(ndvi[speaking], -1, 1)]
    write(f"{folder}/ndvi.tiff", np.where(valid, ndvi, np.float32(-9999)), here, -9999, 3)

    evi2 = 2.5 * (n - r) / (n + 2.4 * r + 1)
    vegetation = half_up(100 * np.clip((evi2 - 0.05) / 0.8, 0, 1)).astype("uint8")
    stats.append(statistics(vegetation[speaking], 0, 100))
    write(f"{folder}/vegetation.tiff", np.where(valid, vegetation, 255).astype("uint8"), here, 255, 1)

    low, high = np.percentile(ndvi[speaking].astype("float64"), [2, 98])
    widening = max(0.0, 0.1 - (high - low)) / 2
    low, high = half_up((low - widening) * 1e6) / 1e6, half_up((high + widening) * 1e6) / 1e6
    scouting = half_up(100 * np.clip((ndvi.astype("float64") - low) / (high - low), 0, 1)).astype("uint8")
    stats.append(statistics(scouting[speaking], 0, 100))
    write(f"{folder}/scouting.tiff", np.where(valid, scouting, 255).astype("uint8"), here, 255, 1)

    table = COLOR[np.stack([red, green, blue])]
    seen = field & (red > 0) & (green > 0) & (blue > 0)
    color = np.where(seen, table, 0).astype("uint8")
    stats += [statistics(band[speaking], 1, 255) for band in color]
    write(f"{folder}/true-color.tiff", color, here, 0, 2)
    return stats


COLOR = (1 + half_up(254 * np.clip(np.arange(65536) / 10000 / 0.3, 0, 1) ** (1 / 1.4))).astype("uint8")


def peak_memory_mb():
    with open("/proc/self/status") as status:
        return int(re.search(r"VmHWM:\s+(\d+) kB", status.read())[1]) / 1024


def main():
    order = json.loads(sys.argv[1])
    with open(order["fields"]) as file:
        rings = json.load(file)
    started, cpu = time.perf_counter(), time.process_time()
    transform = rasterio.Affine(*order["transform"])
    windows = [window_of(ring, transform) for ring in rings]
    names = ["scl", "red", "green", "blue", "nir"]
    with ThreadPoolExecutor(order.get("threads", 1)) as pool:
        bands = dict(zip(names, pool.map(lambda name: read_band(order["url"], name, windows), names)))
        if "out" in order:
            work = lambda index: layers(f"{order['out']}/{index}", index, bands, rings[index], windows[index], transform)
            list(pool.map(work, range(len(rings))))
    wall, used = time.perf_counter() - started, time.process_time() - cpu
    digests = {name: hashlib.sha256(b"".join(a.tobytes() for a in arrays)).hexdigest() for name, arrays in bands.items()}
    peak = peak_memory_mb()
    print(json.dumps({"wallMs": wall * 1000, "cpuMs": used * 1000, "peakMb": peak, "digests": digests}))


def compare(ours, theirs):
    """Pixels and files that differ between two folders of layers."""
    pixels = files = 0
    for folder in sorted(os.listdir(theirs)):
        for name in sorted(os.listdir(f"{theirs}/{folder}")):
            with rasterio.open(f"{ours}/{folder}/{name}") as a, rasterio.open(f"{theirs}/{folder}/{name}") as b:
                assert a.transform == b.transform and a.crs == b.crs and a.nodata == b.nodata, (folder, name)
                pixels += int((a.read() != b.read()).sum())
                files += 1
    print(json.dumps({"files": files, "differing": pixels}))


if __name__ == "__main__":
    if sys.argv[1] == "compare":
        compare(sys.argv[2], sys.argv[3])
    else:
        main()
