import type { Ports } from './ports.mjs';
export interface Outputs {
  readonly tenantId: string;
  readonly appName: string;
  readonly baseUrl: string;
  readonly vaultName: string;
  readonly appPrincipalId: string;
  readonly backupGroup: string;
  readonly tokenAudience: string;
  readonly addresses: Readonly<
    Record<'data' | 'imagery' | 'backups', Readonly<Record<'blob' | 'queue' | 'table', string>>>
  >;
}
export declare function outputsOf(ports: Ports, group: string): Outputs;
export declare function variablesOf(group: string, outputs: Outputs): Readonly<Record<string, string>>;
