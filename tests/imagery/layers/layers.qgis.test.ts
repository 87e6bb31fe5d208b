import { describe, expect, test } from '@jest/globals';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeLayers } from '../../../shared/scenes/layers/fieldLayers.js';
import { LAYER_NAMES, type LayerName } from '../../../shared/scenes/layers/layers.js';
import { canImport, inFolder, python } from '../../raster/gdal.js';
import { aGrid } from '../../raster/samples.js';
import { aCloudyScene, HEIGHT, WIDTH } from './cloudyScene.js';

const hasQgis = canImport(
  'from qgis.core import QgsRasterLayer; from osgeo import gdal; import numpy',
  'QGIS is not installed (python3-qgis): what it draws is not looked at.',
);

/**
 * Draws each layer as QGIS does when a file is dropped on it, a pixel of the screen for each of its own, on magenta, and
 * compares that with what the file says: its palette or its colours; grey that gets brighter with the value.
 */
const DRAW = `
import json, os, sys
os.environ['QT_QPA_PLATFORM'] = 'offscreen'
import numpy as np
from osgeo import gdal
from qgis.core import QgsApplication, QgsMapRendererSequentialJob, QgsMapSettings, QgsRasterLayer
from qgis.PyQt.QtCore import QSize
from qgis.PyQt.QtGui import QColor, QImage
gdal.UseExceptions()
MAGENTA = [255, 0, 255]
app = QgsApplication([], False)
app.initQgis()

def drawn(path):
    layer = QgsRasterLayer(path, 'layer')
    settings = QgsMapSettings()
    settings.setLayers([layer])
    settings.setDestinationCrs(layer.crs())
    settings.setExtent(layer.extent())
    settings.setOutputSize(QSize(layer.width(), layer.height()))
    settings.setBackgroundColor(QColor(*MAGENTA))
    job = QgsMapRendererSequentialJob(settings)
    job.start()
    job.waitForFinished()
    image = job.renderedImage().convertToFormat(QImage.Format_RGBA8888)
    bits = image.constBits()
    bits.setsize(image.sizeInBytes())
    return np.frombuffer(bits, 'uint8').reshape(image.height(), image.width(), 4)[:, :, :3].astype(int)

def told(dataset):
    band = dataset.GetRasterBand(1)
    values = dataset.ReadAsArray().reshape(dataset.RasterCount, dataset.RasterYSize, dataset.RasterXSize)
    table = band.GetColorTable()
    colours = np.moveaxis(values, 0, 2) if table is None else np.array([table.GetColorEntry(i)[:3] for i in range(256)])[values[0]]
    return np.where((values[0] == band.GetNoDataValue())[:, :, None], MAGENTA, colours)

answer = {}
for path in sys.argv[1:]:
    dataset = gdal.Open(path)
    picture, values = drawn(path), dataset.ReadAsArray()
    shown = (picture != MAGENTA).any(axis=2)
    if dataset.RasterCount == 1 and dataset.GetRasterBand(1).GetColorTable() is None:
        data = values != dataset.GetRasterBand(1).GetNoDataValue()
        greys = picture[:, :, 0][data][np.argsort(values[data], kind='stable')]
        differing = int((shown != data).sum() + (np.diff(greys) < 0).sum())
    else:
        differing = int((picture != told(dataset)).any(axis=2).sum())
    answer[os.path.basename(path)[:-5]] = {'differing': differing, 'shown': int(shown.sum()), 'colours': len(np.unique(picture[shown], axis=0))}
print(json.dumps(answer))
sys.stdout.flush()
os._exit(0)
`;

(hasQgis ? describe : describe.skip)('the files of a field in QGIS', () => {
  test('are drawn as they say: palette, colours, grey; nothing where they have no data', async () => {
    const { scene } = aCloudyScene(-1000);
    const order = { scene, grid: aGrid(WIDTH, HEIGHT), layers: LAYER_NAMES, tags: {}, layerTags: {} };
    const files = await makeLayers({ ...order, software: 'field service', takenAt: '2026-06-17T10:05:59Z' });
    await inFolder((folder) => {
      const paths = files.map(({ layer, bytes }) => {
        const path = join(folder, `${layer}.tiff`);
        writeFileSync(path, bytes);
        return path;
      });
      const found = python(DRAW, ...paths) as Record<LayerName, Readonly<Record<string, number>>>;
      for (const layer of LAYER_NAMES) {
        expect({ layer, ...found[layer] }).toMatchObject({ layer, differing: 0 });
        // Otherwise nothing was looked at.
        expect(found[layer]['shown']).toBeGreaterThan(1000);
        expect(found[layer]['colours']).toBeGreaterThanOrEqual(5);
      }
      return Promise.resolve();
    });
  });
});
