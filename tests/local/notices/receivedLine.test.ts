import { describe, expect, test } from '@jest/globals';
import { isSigned, receivedLine } from '../../../infra/local/notices/receivedLine.js';
import { vectors } from '../../notices/log/vectors.js';

const MS = 1_000;
const deliveryOf = ({ id, timestamp, signature, body }: (typeof vectors.symmetric)[number]) => ({
  headers: { 'webhook-id': id, 'webhook-timestamp': String(timestamp), 'webhook-signature': signature },
  body,
});

describe('what the local receiver shows', () => {
  test.each(vectors.symmetric)('is signed or not as $name says: $expect', (vector) => {
    const now = (vector.now ?? vector.timestamp) * MS;
    expect(isSigned(deliveryOf(vector), vector.secret, now)).toBe(vector.expect === 'valid');
  });
  test('covers deliveries that are to be refused', () => {
    expect(vectors.symmetric.filter((vector) => vector.expect === 'refused').length).toBeGreaterThan(5);
  });
  test('is not signed without headers', () => {
    expect(isSigned({ headers: {}, body: '{}' }, vectors.secrets.current, 0)).toBe(false);
  });
  test('says in front whether it is signed', () => {
    const [vector] = vectors.symmetric;
    const delivery = deliveryOf(vector!);
    expect(receivedLine(delivery, vector!.secret, vector!.timestamp * MS)).toMatch(/^signed {2}partner\./);
    expect(receivedLine(delivery, vectors.secrets.former, vector!.timestamp * MS)).toMatch(/^FORGED {2}partner\./);
  });
});
