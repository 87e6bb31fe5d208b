const forgets = new Set<() => void>();

/** What a part of the page does when somebody signs out, so that nothing of one customer is shown to another. */
export function forgetAtSignOut(forget: () => void): void {
  forgets.add(forget);
}

/** Has every part of the page forget what it knows. */
export function forgetAll(): void {
  for (const forget of forgets) forget();
}
