import { Type, type TSchema } from 'typebox';
import { closedObject, dateTimeSchema, nullable } from '../../kit/validation/schemaParts.js';
import { resourceTypes } from '../insights/farmInsight.js';

const text = (most: number, description: string) => Type.String({ maxLength: most, description });

const id = (description: string) => Type.String({ pattern: '^[A-Za-z0-9._~-]{1,100}$', description });

const PROPERTIES = 'At most 25 pairs of your own: keys up to 50, values up to 150 characters';
const propertyValues = Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()]), {
  description: PROPERTIES,
});

/** What a caller writes on every kind of resource; null takes a member away (RFC 7396). */
const written = {
  name: Type.Optional(nullable(text(100, 'For people'))),
  description: Type.Optional(nullable(text(500, 'For people'))),
  status: Type.Optional(nullable(text(100, 'A word of your own'))),
  source: Type.Optional(nullable(text(100, 'Where the resource comes from'))),
  properties: Type.Optional(
    nullable(Type.Record(Type.String(), Type.Union([nullable(Type.String()), Type.Number()])), PROPERTIES),
  ),
};

/** What every resource shows. */
const shown = {
  id: id('Unique among its siblings'),
  eTag: Type.String({ description: 'Another one after each change' }),
  name: Type.Optional(text(100, 'For people')),
  description: Type.Optional(text(500, 'For people')),
  status: Type.Optional(text(100, 'A word of the author')),
  source: Type.Optional(text(100, 'Where the resource comes from')),
  properties: Type.Optional(propertyValues),
  createdDateTime: dateTimeSchema('When it was created'),
  createdBy: Type.String({ description: 'Object id of the creator in its directory, or the solution that created it' }),
  modifiedDateTime: dateTimeSchema('When it was changed last'),
  modifiedBy: Type.String({ description: 'Who changed it last' }),
};

const partyId = id('The party it belongs to');

const geometry = Type.Object(
  {
    type: Type.Enum(['Point', 'Polygon', 'MultiPolygon'], { description: 'The kind of GeoJSON geometry' }),
    coordinates: Type.Array(Type.Unknown(), { description: 'Longitude before latitude, WGS 84 (RFC 7946)' }),
  },
  { title: 'FarmGeometry', description: 'Where the field lies' },
);

// Open, so that a whole resource can be sent back: the rules name a member that no resource has.
const writeBody = <P extends Record<string, TSchema>>(title: string, properties: P) =>
  Type.Object({ ...written, ...properties }, { title });

export const PartyWrite = writeBody('PartyWrite', {});
export const FarmWrite = writeBody('FarmWrite', {});
export const FarmFieldWrite = writeBody('FarmFieldWrite', {
  farmId: Type.Optional(nullable(id('The farm it belongs to'))),
  geometry: Type.Optional(nullable(geometry, 'Where the field lies')),
});

const fieldMetadata = { ...shown, partyId, farmId: Type.Optional(id('The farm it belongs to')) };

export const PartySchema = closedObject('Party', shown);
export const FarmSchema = closedObject('Farm', { ...shown, partyId });
export const FarmField = closedObject('FarmField', { ...fieldMetadata, geometry: Type.Optional(geometry) });
/** A field as lists show it: without its geometry. */
const FarmFieldMetadata = closedObject('FarmFieldMetadata', fieldMetadata);

const listOf = <S extends TSchema>(title: string, item: S) =>
  closedObject(title, {
    value: Type.Array(item, {
      description: 'By party, then by id; a page may be short, even empty, and have a successor',
    }),
    skipToken: Type.Optional(Type.String({ description: 'Goes on behind this page; absent on the last one' })),
    nextLink: Type.Optional(Type.String({ format: 'uri', description: 'The next page; absent on the last one' })),
  });

export const PartyList = listOf('PartyList', PartySchema);
export const FarmList = listOf('FarmList', FarmSchema);
export const FarmFieldList = listOf('FarmFieldList', FarmFieldMetadata);

const owner = {
  partyId,
  modelId: Type.String({ description: 'The solution that has found it out, such as partnerAgPowered.gdd' }),
  resourceType: Type.Enum(resourceTypes, { description: 'What it speaks of' }),
  resourceId: id('Of which party, farm or field it speaks'),
};

const Measurement = closedObject('FarmMeasurement', {
  unit: Type.Optional(text(50, 'Such as °C·day')),
  value: Type.Number({ description: 'In that unit' }),
});

export const FarmInsight = closedObject('FarmInsight', {
  ...shown,
  ...owner,
  modelVersion: Type.String({ description: 'Of the solution' }),
  attachmentsLink: Type.String({ format: 'uri', description: 'The list of its files' }),
  insightStartDateTime: dateTimeSchema('First instant it speaks of'),
  insightEndDateTime: dateTimeSchema('Last instant it speaks of'),
  measurements: Type.Record(Type.String(), Measurement, { description: 'What was found, by name' }),
});
export const FarmInsightList = listOf('FarmInsightList', FarmInsight);

export const FarmAttachment = closedObject('FarmAttachment', {
  ...shown,
  ...owner,
  insightId: id('The insight it is a file of'),
  originalFileName: Type.String({ description: 'Name of the file' }),
});
export const FarmAttachmentList = listOf('FarmAttachmentList', FarmAttachment);

/** Deletion of a resource with all that lies below it. */
export const CascadeDeleteJob = closedObject('CascadeDeleteJob', {
  id: id('Chosen by the caller'),
  partyId,
  resourceId: id('The party, farm or field that is deleted'),
  resourceType: Type.Enum(resourceTypes, { description: 'What it is' }),
  status: Type.Enum(['Waiting', 'Running', 'Succeeded', 'Failed'], { description: 'How far it has come' }),
  message: Type.Optional(Type.String({ description: 'How it ended' })),
  errorCode: Type.Optional(Type.String({ description: 'Of a failed one' })),
  createdDateTime: dateTimeSchema('When it was asked for'),
  lastActionDateTime: dateTimeSchema('When its status changed last'),
  startTime: Type.Optional(dateTimeSchema('When it began')),
  endTime: Type.Optional(dateTimeSchema('When it ended')),
  durationInSeconds: Type.Optional(Type.Integer({ description: 'How long it took' })),
});

const times = (description: string) => Type.Optional(Type.String({ description }));
const list = (item: string) =>
  Type.Optional(Type.Array(Type.String(), { maxItems: 100, description: `${item}; repeated, or joined by commas` }));
/** A filter whose values may hold commas. */
const texts = (item: string) =>
  Type.Optional(Type.Array(Type.String(), { maxItems: 100, description: `${item}; repeated` }));

/** Query parameters of every list of resources. */
export const commonFilterParameters = {
  ids: list('Ids'),
  names: texts('Names'),
  propertyFilters: texts('`{key} eq {value}`: a property that has the value'),
  statuses: list('Statuses'),
  minCreatedDateTime: times('Created then or later'),
  maxCreatedDateTime: times('Created then or before'),
  minLastModifiedDateTime: times('Changed last then or later'),
  maxLastModifiedDateTime: times('Changed last then or before'),
};

const pageSize = (description: string) => Type.Optional(Type.Integer({ minimum: 10, maximum: 1_000, description }));
const skipToken = (description: string) => Type.Optional(Type.String({ maxLength: 2_000, description }));

/** Query parameters of every page. */
export const pageOfWire = {
  maxPageSize: pageSize('Page size, 50 when absent'),
  $maxPageSize: pageSize('The same, as clients of 2022 write it'),
  skipToken: skipToken('`skipToken` of the page before'),
  $skipToken: skipToken('The same, as clients of 2022 write it'),
};

export const LandListParameters = Type.Object({ ...commonFilterParameters, ...pageOfWire });
export const FarmFieldListParameters = Type.Object({
  ...commonFilterParameters,
  farmIds: list('Ids of farms'),
  ...pageOfWire,
});

/** Body of the search for fields. */
export const SearchFieldQuery = closedObject('SearchFieldQuery', {
  ...Object.fromEntries(
    Object.entries({ ...commonFilterParameters, farmIds: list('Ids of farms') }).map(([name, schema]) => [
      name,
      Type.Optional(nullable(schema)),
    ]),
  ),
  partyId: Type.Optional(nullable(id('Fields of this party alone'))),
  intersectsWithGeometry: Type.Optional(nullable(geometry, 'Fields that have a point in common with it')),
});

export const InsightListParameters = Type.Object({
  ...commonFilterParameters,
  minInsightStartDateTime: times('Begins then or later'),
  maxInsightStartDateTime: times('Begins then or before'),
  minInsightEndDateTime: times('Ends then or later'),
  maxInsightEndDateTime: times('Ends then or before'),
  measurementFilters: texts('`{key}.unit eq {text}` or `{key}.value eq {number}`'),
  ...pageOfWire,
});

export const AttachmentListParameters = Type.Object({
  ...commonFilterParameters,
  insightIds: list('Ids of insights'),
  ...pageOfWire,
});
