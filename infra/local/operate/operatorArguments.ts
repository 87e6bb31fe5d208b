/** What every program of an operator takes beside its own arguments. */
export interface OperatorArguments {
  /** Address of the service that is to carry the command out; storage is worked on when it is absent. */
  readonly url: string | undefined;
  /** Why, for the audit. */
  readonly reason: string | undefined;
  /** Whether the service is to say what would be done, and do nothing. */
  readonly isDryRun: boolean;
  /** The program's own arguments. */
  readonly own: readonly string[];
}

/** Takes `--url`, `--reason` and `--dry-run` out of the arguments. @throws Error when one of them has no value */
export function operatorArguments(argv: readonly string[]): OperatorArguments {
  const given = new Map<string, string>();
  const own: string[] = [];
  let isDryRun = false;
  for (let at = 0; at < argv.length; at += 1) {
    if (argv[at] === '--dry-run') {
      isDryRun = true;
      continue;
    }
    const [, name, inline] = /^--(url|reason)(?:=(.*))?$/s.exec(argv[at] ?? '') ?? [];
    if (name === undefined) {
      own.push(argv[at] ?? '');
      continue;
    }
    const value = inline ?? argv[(at += 1)];
    if (value === undefined || value === '') throw new Error(`--${name} takes a value.`);
    given.set(name, value);
  }
  return { url: given.get('url'), reason: given.get('reason'), isDryRun, own };
}
