const timeSpan =
  /^(?:(?<days>\d+)\.)?(?<hours>\d{1,2}):(?<minutes>\d{1,2})(?::(?<seconds>\d{1,2})(?:\.(?<fraction>\d{1,7}))?)?$/;

/**
 * Milliseconds of a .NET TimeSpan text `[d.]hh:mm[:ss[.fffffff]]`, or undefined when the text is none.
 *
 * Hours end at 23, minutes and seconds at 59, as .NET has it.
 */
export function parseTimeSpan(text: string): number | undefined {
  const groups = timeSpan.exec(text)?.groups;
  if (groups === undefined) return undefined;
  const part = (name: string): number => Number(groups[name] ?? 0);
  if (part('hours') > 23 || part('minutes') > 59 || part('seconds') > 59) return undefined;
  const seconds = ((part('days') * 24 + part('hours')) * 60 + part('minutes')) * 60 + part('seconds');
  return Math.round((seconds + Number(`0.${groups['fraction'] ?? '0'}`)) * 1000);
}
