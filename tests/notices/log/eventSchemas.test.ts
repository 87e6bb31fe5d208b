import { describe, expect, test } from '@jest/globals';
import { eventsSchema } from '../../../functions/events/schema.js';
import { noticeData } from '../../../shared/notices/log/noticeSchemas.js';

describe('the schema of what an event holds', () => {
  test.each(Object.keys(noticeData))('%s takes members that are added later, at every depth', async (name) => {
    const request = { params: { file: `${name}.v1.json` } };
    const answer = await eventsSchema.handle(request as never, undefined as never);
    const { data } = (answer as { readonly content: { readonly data: string } }).content;
    expect(data).not.toContain('additionalProperties');
    expect(JSON.parse(data)).toMatchObject({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
    });
  });
});
