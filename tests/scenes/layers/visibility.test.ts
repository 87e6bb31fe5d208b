import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  classesAt10m,
  clearPixels,
  DEFAULT_THRESHOLDS,
  SCL_MARGIN_PIXELS,
  skipReason,
  visibilityOf,
  type Classification,
} from '../../../shared/scenes/layers/visibility.js';

/** A classification from rows of digits; letters a, b stand for 10 and 11. */
const scl = (...rows: readonly string[]): Classification => ({
  classes: Uint8Array.from(rows.join('').split(''), (digit) => parseInt(digit, 12)),
  width: rows[0]!.length,
  height: rows.length,
});
const draw = (mask: Uint8Array, width: number): readonly string[] =>
  Array.from({ length: mask.length / width }, (_, row) => [...mask.subarray(row * width, (row + 1) * width)].join(''));

describe('the classification at 10 m', () => {
  test('each 20 m pixel becomes 2 × 2 and the margin falls away', () => {
    const around = scl('777777', '777777', '774577', '776277', '777777', '777777');
    expect(draw(classesAt10m(around), 4)).toEqual(['4455', '4455', '6622', '6622']);
  });
});

describe('clear pixels', () => {
  test.each([
    { digit: '0', name: 'no data', isClear: false },
    { digit: '1', name: 'defective', isClear: false },
    { digit: '2', name: 'dark area', isClear: true },
    { digit: '4', name: 'vegetation', isClear: true },
    { digit: '5', name: 'bare soil', isClear: true },
    { digit: '6', name: 'water', isClear: true },
    { digit: '7', name: 'unclassified', isClear: true },
    { digit: 'a', name: 'thin cirrus', isClear: false },
    { digit: 'b', name: 'snow', isClear: false },
  ])('class $digit ($name) is clear: $isClear, and reaches no further than itself', ({ digit, isClear }) => {
    const around = scl('4444444', '4444444', '4444444', `444${digit}444`, '4444444', '4444444', '4444444');
    const expected = ['111111', '111111', isClear ? '111111' : '110011'];
    expect(draw(clearPixels(around), 6)).toEqual([...expected, ...expected.toReversed()]);
  });

  test.each(['8', '9'])('a cloud (class %s) hides two pixels of 20 m around it, corners too', (cloud) => {
    const around = scl(
      '444444444',
      '444444444',
      '444444444',
      '444444444',
      `4444${cloud}4444`,
      ...Array<string>(4).fill('444444444'),
    );
    const hidden = Array<string>(10).fill('0000000000');
    expect(draw(clearPixels(around), 10)).toEqual(hidden);
    const farther = scl('44444444', '44444444', '44444444', '44444444', '44444444', '44444444', `4444444${cloud}`);
    expect(draw(clearPixels(farther), 8)).toEqual([...Array<string>(4).fill('11111111'), '11111100', '11111100']);
  });

  test('a shadow (class 3) hides one pixel of 20 m around it', () => {
    const around = scl('4444444', '4444444', '4444444', '4443444', '4444444', '4444444', '4444444');
    expect(draw(clearPixels(around), 6)).toEqual(Array<string>(6).fill('000000'));
    const beside = scl('44444', '34444', '44444', '44444', '44444');
    expect(draw(clearPixels(beside), 2)).toEqual(['11', '11']);
    const near = scl('44444', '43444', '44444', '44444', '44444');
    expect(draw(clearPixels(near), 2)).toEqual(['00', '00']);
  });

  test('a cloud in the margin is seen: only outside of it nothing is', () => {
    const around = scl('84444', '44444', '44444', '44444', '44444');
    expect(draw(clearPixels(around), 2)).toEqual(['00', '00']);
  });

  test('more clouds never make more clear pixels', () => {
    const classes = fc.uint8Array({ min: 0, max: 11, minLength: 64, maxLength: 64 });
    fc.assert(
      fc.property(classes, fc.nat(63), (base, at) => {
        const cloudier = Uint8Array.from(base);
        cloudier[at] = 9;
        const [before, after] = [base, cloudier].map((value) => clearPixels({ classes: value, width: 8, height: 8 }));
        expect(after!.every((value, index) => value <= before![index]!)).toBe(true);
      }),
    );
  });
});

describe('how much of a field a scene shows', () => {
  // 4 × 2 pixels of 20 m inside: no data, thin cirrus, vegetation …
  const around = scl('77777777', '77777777', '770a4477', '77444477', '77777777', '77777777');
  const clear = clearPixels(around);

  test('is counted over the pixels of the field only', () => {
    const all = new Uint8Array(32).fill(1);
    expect(visibilityOf(around, all, clear)).toEqual({ coverageFraction: 28 / 32, clearFraction: 24 / 32 });
    const rightHalf = Uint8Array.from({ length: 32 }, (_, index) => (index % 8 >= 4 ? 1 : 0));
    expect(visibilityOf(around, rightHalf, clear)).toEqual({ coverageFraction: 1, clearFraction: 1 });
  });

  test('a field without pixels is not shown', () => {
    expect(visibilityOf(around, new Uint8Array(32), clear)).toEqual({ coverageFraction: 0, clearFraction: 0 });
  });

  test('the margin is as wide as the largest cloud’s reach', () => {
    expect(SCL_MARGIN_PIXELS).toBe(2);
  });
});

describe('why a layer is not made', () => {
  test.each([
    { layer: 'ndvi', coverage: 0.95, clear: 0.6, expected: undefined, why: 'both thresholds are just met' },
    { layer: 'ndvi', coverage: 0.9499, clear: 1, expected: 'coverage', why: 'the scene shows too little of the field' },
    { layer: 'ndvi', coverage: 1, clear: 0.5999, expected: 'cloud', why: 'too cloudy' },
    { layer: 'vegetation', coverage: 1, clear: 0.6, expected: undefined, why: 'as ndvi' },
    { layer: 'true-color', coverage: 1, clear: 0.59, expected: 'cloud', why: 'as ndvi' },
    { layer: 'scouting', coverage: 1, clear: 0.79, expected: 'cloud', why: 'a relative layer needs more of the field' },
    { layer: 'scouting', coverage: 1, clear: 0.8, expected: undefined, why: 'just enough' },
    { layer: 'scouting', coverage: 0.5, clear: 0.1, expected: 'coverage', why: 'coverage is named first' },
  ] as const)('$layer, coverage $coverage, clear $clear: $expected ($why)', ({ layer, coverage, clear, expected }) => {
    expect(skipReason(layer, { coverageFraction: coverage, clearFraction: clear })).toBe(expected);
  });

  test('thresholds can be set', () => {
    const strict = { ...DEFAULT_THRESHOLDS, coverageFraction: 1 };
    expect(skipReason('ndvi', { coverageFraction: 0.99, clearFraction: 1 }, strict)).toBe('coverage');
  });
});
