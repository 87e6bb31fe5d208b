/** A command as operators give it. */
export const commandExample = {
  command: 'keys.revoke',
  target: { keyId: 'k3yUnderTest' },
  reason: 'The key stood in a public repository.',
} as const;

/** What came of it. */
export const operationExample = {
  operationId: '20260617T100620310Z-1f0c4f3e',
  ...commandExample,
  by: '0b7c9a52-1d3e-4f60-8a71-92b3c4d5e6f7',
  dryRun: false,
  status: 'Done',
  startedAt: '2026-06-17T10:06:20.310Z',
  endedAt: '2026-06-17T10:06:20.412Z',
  result: { revoked: 'k3yUnderTest' },
  message: null,
} as const;
