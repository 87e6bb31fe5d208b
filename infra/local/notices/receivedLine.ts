import { createHmac, timingSafeEqual } from 'node:crypto';

export interface ReceivedDelivery {
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: string;
}

const WINDOW_SECONDS = 300;

/** Whether a delivery is signed with the secret, within five minutes: as a receiver checks it. @param now milliseconds since 1970 UTC */
export function isSigned({ headers, body }: ReceivedDelivery, secret: string, now: number): boolean {
  const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => {
    return String(headers[name] ?? '');
  });
  if (!/^\d+$/.test(timestamp ?? '') || Math.abs(now / 1000 - Number(timestamp)) > WINDOW_SECONDS) return false;
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest();
  return (signatures ?? '').split(' ').some((signature) => {
    const [version, text = ''] = signature.split(',');
    const given = Buffer.from(text, 'base64');
    return version === 'v1' && given.length === expected.length && timingSafeEqual(given, expected);
  });
}

/** One delivery in a line. */
export function receivedLine(delivery: ReceivedDelivery, secret: string, now: number): string {
  const { type, subject, data } = JSON.parse(delivery.body) as { type: string; subject: string; data: object };
  return `${isSigned(delivery, secret, now) ? 'signed ' : 'FORGED '} ${type} ${subject} ${JSON.stringify(data)}`;
}
