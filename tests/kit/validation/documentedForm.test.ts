import { describe, expect, test } from '@jest/globals';
import { Type } from 'typebox';
import { GddCreateBody } from '../../../shared/gdd/form/gddSchemas.js';
import { SmartBoundaryCreateBody } from '../../../shared/boundary/form/smartBoundarySchemas.js';
import { documentedForm } from '../../../shared/kit/validation/documentedForm.js';
import { closedObject, nullable } from '../../../shared/kit/validation/schemaParts.js';
import { faultsOf } from '../../../shared/kit/validation/validator.js';

describe('null in a body', () => {
  const Inner = closedObject('Inner', { name: Type.String(), note: Type.Optional(Type.String()) });
  const Body = closedObject('Body', {
    needed: Type.String(),
    text: Type.Optional(Type.String()),
    cleared: Type.Optional(nullable(Type.String())),
    list: Type.Optional(Type.Array(Inner)),
    headers: Type.Optional(Type.Record(Type.String(), Type.String())),
  });

  test.each([
    { why: 'in an optional property is that property absent', sent: { text: null }, read: {} },
    { why: 'in one that gives it a meaning stays', sent: { cleared: null }, read: { cleared: null } },
    { why: 'where something is required stays, and is refused', sent: { needed: null }, read: { needed: null } },
    { why: 'in an unknown property stays, and is refused', sent: { other: null }, read: { other: null } },
    {
      why: 'within a list is read alike',
      sent: { list: [{ name: 'a', note: null }] },
      read: { list: [{ name: 'a' }] },
    },
    { why: 'of a name that is free is absent', sent: { headers: { a: null, b: 'c' } }, read: { headers: { b: 'c' } } },
    { why: 'in place of a body stays', sent: null, read: null },
    { why: 'in place of an item stays', sent: { list: [null] }, read: { list: [null] } },
  ])('$why', ({ sent, read }) => {
    expect(documentedForm(Body, sent)).toEqual(read);
  });
});

describe('a create that repeats what answers have', () => {
  const id = '6d1f0c9a-3b7e-4a52-8f14-c0e5d2a7b911';
  const gdd = { partyId: id, resourceId: id, crop: 'CORN', gddStartDate: '2025-05-01', gddEndDate: '2025-09-30' };
  const gddBody = (given: object) => ({ requestPath: '/v1/gdd/a', partnerRequestBody: { ...gdd, ...given } });

  test.each([
    { sent: { resourceType: 'FIELD', temperatureUnit: 'C' }, read: { resourceType: 'Field', temperatureUnit: 'c' } },
    { sent: { resourceType: 'FIELD', temperatureUnit: 'F' }, read: { resourceType: 'Field', temperatureUnit: 'f' } },
    { sent: { resourceType: 'Field', temperatureUnit: null }, read: { resourceType: 'Field' } },
  ])('is one of a GDD job: $sent', ({ sent, read }) => {
    const form = documentedForm(GddCreateBody, { ...gddBody(sent), partnerRequestHeaders: null });
    expect(form).toEqual(gddBody(read));
    expect(faultsOf(GddCreateBody, form)).toEqual([]);
  });

  test.each(['field', 'FIELd', 'FARM'])('does not say %s', (resourceType) => {
    expect(faultsOf(GddCreateBody, documentedForm(GddCreateBody, gddBody({ resourceType })))).toHaveLength(1);
  });

  test('is one of a Smart Boundary job', () => {
    const bodyOf = (resourceType: string) => ({
      requestPath: '/v1/smart-boundary/a',
      partnerRequestBody: {
        ...{ partyId: id, resourceId: id, imageStartDate: '2026-06-01', imageEndDate: '2026-06-10' },
        ...{ pointOnSurface: { longitude: 1, latitude: 2 }, resourceType },
      },
    });
    expect(documentedForm(SmartBoundaryCreateBody, bodyOf('FARM'))).toEqual(bodyOf('Farm'));
  });
});
