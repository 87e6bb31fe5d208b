import { geoJsonBudget } from '../../kit/json/structureBudget.js';
import { readJsonInput } from '../../kit/json/jsonInput.js';
import { isJsonObject } from '../../kit/json/json.js';
import { fieldGeometry } from '../wire/fieldGeometry.js';
import { isLandId, isSameKey, type LandKind } from '../land/land.js';
import { writableMembers } from '../operations/putLand.js';
import { mergePatch } from '../wire/mergePatch.js';
import { packedShape } from '../land/packedShape.js';
import { checkCommonMembers, invalidRequest, writablePart, type WireObject } from '../wire/resourceRules.js';
import type { ImportOptions } from './importJob.js';
import { caught, type Prepared } from './preparedFeature.js';

const ID = '([^/]+)';
const PATHS: readonly (readonly [LandKind, RegExp])[] = [
  ['party', new RegExp(`^/parties/${ID}$`)],
  ['farm', new RegExp(`^/parties/${ID}/farms/${ID}$`)],
  ['field', new RegExp(`^/parties/${ID}/fields/${ID}$`)],
];

/** A line of an export as the resource that it holds. Ids stay as they are: they are our own. */
export function preparedLine(bytes: Uint8Array, index: number, { partyId, farmId }: LineRules): Prepared {
  return caught(index, () => {
    const { value, fault } = readJsonInput('The line', bytes, geoJsonBudget);
    if (fault !== undefined) throw invalidRequest(`${fault.msg}.`);
    const { path, resource } = isJsonObject(value) ? value : {};
    if (typeof path !== 'string' || !isJsonObject(resource)) {
      throw invalidRequest('The line has no path and resource, as an export has them.');
    }
    const named = namedBy(path);
    if (partyId !== undefined && !isSameKey(named.partyId, partyId)) {
      throw invalidRequest(`The resource belongs to another party than ${partyId}, which alone is imported.`);
    }
    return { index, ...named, ...contentOf(named, resource, farmId) };
  });
}

type LineRules = Pick<ImportOptions, 'partyId' | 'farmId'>;

interface Named {
  readonly kind: LandKind;
  readonly partyId: string;
  readonly id: string;
}

function namedBy(path: string): Named {
  for (const [kind, form] of PATHS) {
    const [, partyId, id = partyId] = form.exec(path) ?? [];
    if (partyId !== undefined && id !== undefined && isLandId(id) && isLandId(partyId)) {
      return { kind, partyId, id };
    }
  }
  throw invalidRequest('The path names no party, farm or field; nothing else is imported, for jobs make it again.');
}

function contentOf({ kind, partyId, id }: Named, resource: WireObject, farmId: string | undefined) {
  const fixed = kind === 'party' ? { id } : { id, partyId };
  const body = writablePart(resource, writableMembers[kind], fixed);
  // What a null removes isn't looked at; the rest must hold whatever is there.
  checkCommonMembers(mergePatch({}, { ...body, geometry: null }) as WireObject);
  const { geometry, ...rest } = body;
  const { farmId: farm } = rest;
  if (typeof farm === 'string' && !isLandId(farm)) throw invalidRequest('farmId can be no id of a farm.');
  const sound = geometry === undefined || geometry === null ? undefined : fieldGeometry(geometry);
  return {
    body: {
      ...rest,
      ...(kind === 'field' && farmId !== undefined ? { farmId } : {}),
      ...(geometry === null ? { geometry } : {}),
    },
    ...(sound === undefined ? {} : { packed: packedShape(sound.geometry), extent: sound.extent }),
  };
}
