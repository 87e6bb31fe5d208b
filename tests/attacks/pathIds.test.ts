import { afterAll, describe, expect, test } from '@jest/globals';
import { functionTable } from '../../functions/functionTable.js';
import { isLandId } from '../../shared/farm/land/land.js';
import { service } from '../contract/service.js';
import { credentialOf, sampleOf } from './operations.js';
import { closeConnections, sendRaw } from './rawRequest.js';

afterAll(closeConnections);

/** What no id is: the beginning of one, parts of keys, what storage can have in no key, what names all. */
const hostile = [
  'wh_',
  '_',
  'a|b',
  'a/b',
  'a\\b',
  'a#b',
  'a?b',
  'a\u0001b',
  'a\u0085b',
  "a' or '1' eq '1",
  '*',
  'x'.repeat(600),
];

/** Files of the console and of the pages have names, not ids, and `/docs/…` falls back to none. */
const routes = functionTable.routes.filter(({ path, caller }) => path.includes('{') && caller !== 'nobody');

describe('an id in a path that can be none (API1)', () => {
  test.each(routes.map((route) => [`${route.method} /${route.path}`, route] as const))(
    '%s is the fault of the caller, and finds nothing',
    async (_name, route) => {
      const headers = route.caller === 'either' ? { authorization: `Bearer ${service.jwt}` } : credentialOf(route);
      // Farm data takes some of them for ids of the caller's own.
      for (const id of hostile.filter((each) => route.tag !== 'Farm data' || !isLandId(each))) {
        const { path, method, body, headers: own } = sampleOf(route, { id: encodeURIComponent(id) });
        const reply = await sendRaw({
          method,
          path,
          headers: { ...own, ...headers },
          ...(body === undefined ? {} : { body }),
        });
        expect([id, [400, 404, 405].includes(reply.status) ? 'refused' : reply.status]).toEqual([id, 'refused']);
      }
    },
  );
});
