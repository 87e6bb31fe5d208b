import { expect, test } from '@jest/globals';
import { hrefOf, lastHref } from '../../console/router.js';
import { forgetAtSignOut } from '../../console/session/forgetting.js';
import { credentials, refused, signIn, signInAgain, signOut } from '../../console/session/session.js';
import { days, fields } from '../../console/views/fields/fieldsStore.js';
import { knownDays } from '../../console/views/fields/dayState.js';

test('whoever signs out, from the sign-in over a view too, leaves nothing for the next one', () => {
  const known: (string | undefined)[] = [];
  forgetAtSignOut(() => {
    known.push(credentials.value?.apiKey);
  });
  signIn({ apiKey: 'key' }, false);
  fields.value = [];
  days.value = new Map([['North Forty', knownDays([])]]);
  void signInAgain('key');
  signOut();
  expect([fields.value, days.value.size, credentials.value, refused.value]).toEqual([
    undefined,
    0,
    undefined,
    undefined,
  ]);
  expect(lastHref('fields')).toBe(hrefOf('fields'));
  // Before the sign-in is drawn in place of the views.
  expect(known).toEqual(['key']);
});
