import { describe, expect, test } from '@jest/globals';
import { featureNames } from '../../../shared/boundary/candidates/candidateFeatures.js';
import { loadBoundaryModel } from '../../../shared/boundary/predict/boundaryModel.js';
import { rankerOf, scoreOf } from '../../../shared/boundary/candidates/ranker.js';
import { Random } from '../../../tools/scenes/random.js';
import { paintedMarginPixels, samplesPerPixel } from '../../../tools/scenes/sensor.js';
import { depthIn } from '../../../tools/scenes/seenFields.js';
import { packedRanker } from '../../../tools/boundary-model/rankerFile.js';
import { pointsOf } from '../../../tools/boundary-model/rankerPoints.js';
import { coverageOf, iouWithTruth } from '../../../tools/boundary-model/trueCoverage.js';
import { disturbedFamily, heldOutFamilies } from '../../../tools/boundary-model/sceneFamilies.js';
import { boundaryLabels, trainingScene } from '../../../tools/boundary-model/trainingSample.js';
import { fixtureBytes } from '../predict/fixtures.js';

const leaf = (value: number) => ({ feature: [-1], threshold: [0], left: [0], right: [0], value: [value] });
const split = {
  feature: [0, -1, -1],
  threshold: [2, 0, 0],
  left: [1, 0, 0],
  right: [2, 0, 0],
  value: [0, 0.25, -0.125],
};

describe('a packed ranker', () => {
  test('scores as the fitted trees do: the mean over models of baseline and leaves', () => {
    const { shape, bytes } = packedRanker({
      features: featureNames,
      models: [
        { baseline: 0.5, trees: [split, leaf(0.1)] },
        { baseline: 0.3, trees: [leaf(0.2), split] },
      ],
    });
    const ranker = rankerOf(shape, bytes, featureNames);
    expect(scoreOf(ranker, new Float64Array(23).fill(1))).toBeCloseTo((0.5 + 0.25 + 0.1 + 0.3 + 0.2 + 0.25) / 2, 12);
    expect(scoreOf(ranker, new Float64Array(23).fill(3))).toBeCloseTo((0.5 - 0.125 + 0.1 + 0.3 + 0.2 - 0.125) / 2, 12);
  });

  test('wants as many trees in every model', () => {
    const models = [
      { baseline: 0, trees: [leaf(1)] },
      { baseline: 0, trees: [] },
    ];
    expect(() => packedRanker({ features: featureNames, models })).toThrow('same number of trees');
  });
});

describe('the files of a model', () => {
  test('are refused when they are not those of the manifest', () => {
    const manifest = Buffer.from(fixtureBytes('../../../shared/boundary/assets/boundary-model.json')).toString();
    const files = {
      manifest,
      network: new Uint8Array(8),
      mask: new Uint8Array(8),
      ranker: new Uint8Array(8),
      smallRanker: new Uint8Array(8),
    };
    expect(() => loadBoundaryModel(files)).toThrow('boundary-network.bin has the SHA-256');
  });
});

describe('training scenes', () => {
  const options = { side: 48, dates: 2, paletteShare: 0 };
  const { renderer, window, dates } = trainingScene(5, options);
  const cover = renderer.coverOf(window);

  test('follow from their seed', () => {
    expect(trainingScene(5, options).dates).toEqual(dates);
    expect(trainingScene(6, options).window).not.toEqual(window);
  });

  test('keep their fields, not their colours, under a palette', () => {
    const painted = trainingScene(5, { ...options, paletteShare: 1 });
    expect(painted.renderer.coverOf(painted.window).samples).toEqual(cover.samples);
    expect(painted.dates[0]!.scene.bands.B08).not.toEqual(dates[0]!.scene.bands.B08);
  });

  test('of a family differ from the usual ones in what the family says, and stay within it', () => {
    const { smallholders, haze } = heldOutFamilies;
    const usual = { side: 64, dates: 1, paletteShare: 0 };
    const styles = trainingScene(5, { ...usual, family: smallholders! }).renderer.farmland.fieldsIn([0, 0, 3000, 3000]);
    expect(new Set(styles.map(({ style }) => style))).toEqual(new Set(['small', 'strip']));
    const blurred = trainingScene(5, { ...usual, family: haze! });
    expect(blurred.renderer.coverOf(blurred.window).samples).toEqual(
      trainingScene(5, usual).renderer.coverOf(blurred.window).samples,
    );
    expect(blurred.dates[0]!.scene.bands.B04).not.toEqual(trainingScene(5, usual).dates[0]!.scene.bands.B04);
  });

  test('that are disturbed differ within fields alone', () => {
    const usual = { side: 64, dates: 1, paletteShare: 0 };
    const plain = trainingScene(5, { ...usual, family: { ...disturbedFamily, contrast: [1, 1] } });
    const disturbed = trainingScene(5, { ...usual, family: { ...disturbedFamily, contrast: [3, 3] } });
    expect(disturbed.renderer.coverOf(window).samples).toEqual(plain.renderer.coverOf(window).samples);
    expect(disturbed.dates[0]!.scene.bands.B04).not.toEqual(plain.dates[0]!.scene.bands.B04);
  });

  test('lie five days apart', () => {
    const [first, second] = dates.map(({ date }) => Date.parse(date));
    expect(second! - first!).toBe(5 * 86_400_000);
  });

  test('are labelled: boundaries are thin, and lie where fields change', () => {
    const labels = boundaryLabels(cover);
    expect(labels).toHaveLength(48 * 48);
    const boundary = labels.filter((label) => (label & 1) === 1).length / labels.length;
    expect(boundary).toBeGreaterThan(0.01);
    expect(boundary).toBeLessThan(0.6);
  });

  test('know what fraction of every pixel a field covers', () => {
    const field = cover.samples[cover.samples.length >> 1]!;
    const coverage = coverageOf(cover, Math.max(0, field));
    expect(Math.max(...coverage.fractions)).toBeLessThanOrEqual(1);
    expect(coverage.fractions.reduce((sum, fraction) => sum + fraction, 0)).toBeCloseTo(coverage.total, 1);
  });
});

describe('the points of a training scene', () => {
  const { renderer, window } = trainingScene(11, { side: 128, dates: 1, paletteShare: 0 });
  const cover = renderer.coverOf(window);
  const pointsFor = (inFields: number, outsideShare: number) =>
    pointsOf(cover, window, new Random(3), { inFields, outsideShare });

  test('lie in as many fields as are asked for, and know the field', () => {
    const points = pointsFor(3, 0);
    expect(points).toHaveLength(3);
    expect(new Set(points.map(({ outline }) => outline)).size).toBe(3);
    for (const { pixel, outline, coverage, areaHa } of points) {
      const middle = [window.originX + 10 * pixel.column + 5, window.originY - 10 * pixel.row - 5] as const;
      expect(depthIn(outline!, middle)).toBeGreaterThan(0);
      expect(coverage!.total / 100).toBeCloseTo(areaHa, 0);
    }
  });

  test('lie outside all fields where that is asked for', () => {
    const outside = pointsFor(0, 1);
    expect(outside.length).toBeGreaterThan(0);
    for (const { pixel, outline, coverage, areaHa } of outside) {
      expect({ outline, coverage, areaHa }).toEqual({ outline: undefined, coverage: undefined, areaHa: 0 });
      const [row, column] = [pixel.row, pixel.column].map((k) => (k + paintedMarginPixels + 0.5) * samplesPerPixel);
      expect(cover.samples[row! * cover.grid.width + column!]).toBeLessThan(0);
    }
  });
});

describe('the IoU of a mask with the truth', () => {
  test('counts pixels by their covered fraction', () => {
    const fractions = new Float32Array(16);
    fractions.set([1, 0.5], 5);
    const mask = { top: 1, left: 1, size: 2, bitmap: { width: 2, height: 1, data: Uint8Array.of(1, 1) } };
    expect(iouWithTruth(mask, { fractions, total: 1.5 }, 4)).toBeCloseTo(1.5 / 2, 9);
  });
});
