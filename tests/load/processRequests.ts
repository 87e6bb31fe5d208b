/** What this process asks of others: storage speaks https, the file host of the stand-in plain http. */
import http, { type ClientRequest, type IncomingMessage } from 'node:http';
import https from 'node:https';
import { syncBuiltinESMExports } from 'node:module';

export interface ProcessRequests {
  /** Requests to storage since the beginning. */
  storage: number;
  /** Bytes of the files of scenes since the beginning. */
  sceneBytes: number;
}

/** Counts from now on, whichever client asks. */
export function countProcessRequests(): ProcessRequests {
  const counted = { storage: 0, sceneBytes: 0 };
  const { request: secure } = https;
  https.request = ((...args: Parameters<typeof https.request>) => {
    counted.storage += 1;
    return secure(...args);
  }) as typeof https.request;
  const { request: plain } = http;
  http.request = ((...args: Parameters<typeof http.request>): ClientRequest =>
    plain(...args).once('response', ({ headers }: IncomingMessage) => {
      counted.sceneBytes += Number(headers['content-length'] ?? 0);
    })) as typeof http.request;
  syncBuiltinESMExports();
  return counted;
}
