import { describe, expect, test } from '@jest/globals';
import {
  offsetRule,
  untouchedOffsetRule,
  type OffsetFacts,
  type OffsetRule,
} from '../../../shared/scenes/item/boaOffset.js';

const removed: OffsetRule = { offsetDn: 0, basis: 'catalogue' };
const applied: OffsetRule = { offsetDn: -1000, basis: 'asset' };

describe('the offset of a scene from Earth Search', () => {
  test.each<{ why: string; facts: OffsetFacts; expected: OffsetRule }>([
    {
      why: 'the flag counts, not the offset that raster:bands shows beside it',
      facts: { collection: 'sentinel-2-l2a', baseline: '05.09', isRemoved: true, bandOffsetDn: -1000 },
      expected: removed,
    },
    {
      why: 'baselines before 04.00 never had it',
      facts: { collection: 'sentinel-2-l2a', baseline: '03.01', isRemoved: false, bandOffsetDn: -1000 },
      expected: { offsetDn: 0, basis: 'baseline' },
    },
    {
      why: 'a false flag from 04.00 on has been seen to be wrong',
      facts: { collection: 'sentinel-2-l2a', baseline: '04.00', isRemoved: false, bandOffsetDn: -1000 },
      expected: 'measure',
    },
    {
      why: 'a missing flag too',
      facts: { collection: 'sentinel-2-l2a', baseline: '05.10', bandOffsetDn: -1000 },
      expected: 'measure',
    },
    { why: 'nothing is known', facts: { collection: 'sentinel-2-l2a', baseline: '' }, expected: 'measure' },
    {
      why: 'collection 1 describes its pixels as they are',
      facts: { collection: 'sentinel-2-c1-l2a', baseline: '05.11', bandOffsetDn: -1000 },
      expected: applied,
    },
    {
      why: 'also when they carry none',
      facts: { collection: 'sentinel-2-c1-l2a', baseline: '05.11', bandOffsetDn: 0 },
      expected: { offsetDn: 0, basis: 'asset' },
    },
    {
      why: 'without an offset in the metadata the baseline decides',
      facts: { collection: 'sentinel-2-c1-l2a', baseline: '05.00' },
      expected: { offsetDn: -1000, basis: 'baseline' },
    },
  ])('$why', ({ facts, expected }) => {
    expect(offsetRule(facts)).toEqual(expected);
  });
});

describe('the offset of a scene from the Planetary Computer', () => {
  test.each([
    { baseline: '04.00', expected: { offsetDn: -1000, basis: 'baseline' } },
    { baseline: '05.11', expected: { offsetDn: -1000, basis: 'baseline' } },
    { baseline: '03.01', expected: { offsetDn: 0, basis: 'baseline' } },
    { baseline: '', expected: 'measure' },
    { baseline: 'unknown', expected: 'measure' },
  ])('of baseline "$baseline"', ({ baseline, expected }) => {
    expect(untouchedOffsetRule(baseline)).toEqual(expected);
  });
});
