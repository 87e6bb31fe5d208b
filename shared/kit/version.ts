/** What was built: filled in by the bundler, so that a deployed instance can say what it is. */
declare const BUILD_VERSION: string | undefined;
declare const BUILD_COMMIT: string | undefined;

export const version = {
  version: typeof BUILD_VERSION === 'string' ? BUILD_VERSION : 'unbuilt',
  commit: typeof BUILD_COMMIT === 'string' ? BUILD_COMMIT : 'unbuilt',
} as const;
