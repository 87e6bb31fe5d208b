// The linter for eslint.config.mjs, which lies in the root, where editors and the linter itself look for it.
export { defineConfig } from 'eslint/config';
export { default as tseslint } from 'typescript-eslint';
