import { describe, expect, test } from '@jest/globals';
import { commonFiltersOf, listIn } from '../../../shared/farm/wire/wireFilters.js';

describe('the values of a filter', () => {
  test.each([
    ['ids', { ids: Array.from({ length: 101 }, (_, index) => `id-${index}`) }],
    ['ids', { ids: 'a,'.repeat(101) }],
    ['names', { names: 'a,'.repeat(100) }],
    ['propertyFilters', { propertyFilters: ['soil eq loam', 'a,'.repeat(100)] }],
  ])('are at most 100, those joined by commas counted: %s', (name, wire) => {
    expect(() => commonFiltersOf(wire)).toThrow(`${name} has`);
  });

  test('are the same repeated and joined by commas', () => {
    expect(listIn({ ids: 'a,b' }, 'ids')).toEqual(listIn({ ids: ['a', 'b'] }, 'ids'));
  });
});
