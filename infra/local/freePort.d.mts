/** Whether nobody listens on a port of this machine. */
export function isFree(port: number): Promise<boolean>;

/**
 * A port that is free now and that no outgoing connection takes.
 *
 * @throws Error when 50 that were drawn are all taken
 */
export function freePort(): Promise<number>;
