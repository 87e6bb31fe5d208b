// A party with a farm and its fields from a GeoJSON file, then degree days and the boundary of one of them.
// Run again it changes what it made before.
import { openAsBlob } from 'node:fs';
import { client, service } from './service.js';

const partyId = '5e0d1c1e-2f7a-4c0b-9a54-1f5f0b3f7a10';
const farmId = '0b9c7b58-1d52-4e5e-8f43-5f1f8f1f2d11';
await client.farm.parties.put({ partyId }, { name: 'Miller' });
await client.farm.farms.put({ partyId, farmId }, { name: 'Home farm' });

const file = await openAsBlob('examples/fields.geojson', { type: 'application/geo+json' });
const { id } = await client.farm.import(file, { partyId, farmId });
const { status, written, failed } = await client.farm.imported(id);
console.log(`${status}: ${written} fields written, ${failed} not`);

// The file calls the field north-40; jobs take UUIDs, so its id is one made of that name.
let fieldId = '';
for await (const field of client.farm.fields.list({ partyId, propertyFilters: ['sourceId eq north-40'] })) {
  fieldId = field.id;
}
console.log(`The field north-40 has the id ${fieldId}.`);

// The examples of both kinds of jobs, told of this field instead of the demo party's.
const { features } = await client.farm.fieldsGeoJson(partyId);
const outline = features.find(({ properties }) => properties.field_id === fieldId)?.geometry;
if (outline?.type !== 'Polygon') throw new Error('The field north-40 has no outline.');
const corners = outline.coordinates.flat().slice(1);
const mean = (axis: number) => corners.reduce((sum, corner) => sum + (corner[axis] ?? 0), 0) / corners.length;
const pointOnSurface = { longitude: mean(0), latitude: mean(1) };
Object.assign(service, { partyId, farmId, fieldIds: [fieldId], pointOnSurface });
await import('./gdd.js');
await import('./boundary.js');
