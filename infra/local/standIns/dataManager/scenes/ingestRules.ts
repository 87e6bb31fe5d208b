import { isJsonObject } from '../../http/exchange.js';
import { checkInstant } from '../resourceRules.js';
import { invalid } from '../wire.js';
import { sceneImages } from './sceneLibrary.js';

/** Where a secret lies. */
export interface SecretPlace {
  readonly keyVaultUri: string;
  readonly keyName: string;
  readonly keyVersion: string;
}

/** What an ingest brings along to pay with. */
export interface IngestCredentials {
  readonly clientId: string;
  readonly clientSecret: SecretPlace;
}

/** The request of an ingest, checked. */
export interface IngestRequest {
  readonly partyId: string;
  readonly fieldId: string;
  readonly provider: string;
  readonly collection: string;
  readonly startDateTime: string;
  readonly endDateTime: string;
  readonly images: readonly string[];
  readonly credentials: IngestCredentials | undefined;
}

type Json = Readonly<Record<string, unknown>>;

const MEMBERS = [
  'partyId',
  'associatedResource',
  'collection',
  'provider',
  'startDateTime',
  'endDateTime',
  'itemId',
  'data',
  'credentials',
];
const YEAR_MS = 366 * 86_400_000;

/** @throws WireError 400 for what the product refuses, or what a careful client would not send */
export function ingestRequestOf(body: Json): IngestRequest {
  refuseUnknown(body, MEMBERS);
  const { startDateTime, endDateTime, collection } = body;
  if (collection !== 'sentinel-2-l2a' && collection !== 'sentinel-2-l1c') throw invalid('collection is unknown.');
  checkInstant('startDateTime', startDateTime);
  checkInstant('endDateTime', endDateTime);
  const [from, to] = [String(startDateTime), String(endDateTime)];
  const spanMs = Date.parse(to) - Date.parse(from);
  if (spanMs < 0 || spanMs > YEAR_MS)
    throw invalid('An ingest covers at most one year and does not end before it starts.');
  return {
    partyId: textIn(body, 'partyId'),
    fieldId: fieldIdOf(body['associatedResource']),
    provider: textIn(body, 'provider'),
    collection,
    startDateTime: from,
    endDateTime: to,
    images: imagesOf(body['data']),
    credentials: credentialsOf(body['credentials']),
  };
}

function fieldIdOf(value: unknown): string {
  const resource = objectIn(value, 'associatedResource', ['type', 'id']);
  if (resource['type'] !== 'Field') throw invalid('The stand-in ingests for a resource of type Field only.');
  return textIn(resource, 'id');
}

function imagesOf(value: unknown): readonly string[] {
  const data = objectIn(value, 'data', ['imageNames', 'imageFormats', 'imageResolutions']);
  const { imageNames, imageFormats, imageResolutions } = data;
  if (JSON.stringify(imageFormats) !== '["TIF"]') throw invalid('imageFormats must be ["TIF"].');
  if (JSON.stringify(imageResolutions) !== '[10]') throw invalid('The stand-in has images of 10 m only.');
  const names = Array.isArray(imageNames) ? imageNames.map(String) : [];
  const isKnown = (name: string): boolean => sceneImages.some((image) => image === name);
  if (names.length === 0 || !names.every(isKnown)) throw invalid(`imageNames must be of ${sceneImages.join(', ')}.`);
  return names;
}

function credentialsOf(value: unknown): IngestCredentials | undefined {
  if (value === undefined) return undefined;
  const credentials = objectIn(value, 'credentials', ['kind', 'clientId', 'clientSecret']);
  if (credentials['kind'] !== 'OAuthClientCredentials') throw invalid('kind must be OAuthClientCredentials.');
  const secret = objectIn(credentials['clientSecret'], 'clientSecret', ['keyVaultUri', 'keyName', 'keyVersion']);
  return {
    clientId: textIn(credentials, 'clientId'),
    clientSecret: {
      keyVaultUri: textIn(secret, 'keyVaultUri'),
      keyName: textIn(secret, 'keyName'),
      keyVersion: textIn(secret, 'keyVersion'),
    },
  };
}

function objectIn(value: unknown, name: string, members: readonly string[]): Json {
  if (!isJsonObject(value)) throw invalid(`${name} must be an object.`);
  refuseUnknown(value, members);
  return value;
}

function refuseUnknown(object: Json, members: readonly string[]): void {
  const strange = Object.keys(object).find((name) => !members.includes(name));
  if (strange !== undefined) throw invalid(`The member ${strange} is unknown.`);
}

function textIn(object: Json, name: string): string {
  const value = object[name];
  if (typeof value !== 'string' || value === '') throw invalid(`${name} must be a text.`);
  return value;
}
