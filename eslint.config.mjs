// The layering of the project, held by the linter: see CONTRIBUTING.md, "Which way imports point".
import { defineConfig, tseslint } from './tools/check/eslint.mjs';
import { floorBlocks } from './tools/check/floors.mjs';

const environment = {
  object: 'process',
  property: 'env',
  message: 'Only shared/wiring/settings/config.ts reads the environment.',
};
const deletionsByMark = {
  selector: "ArrayExpression[elements.0.value='delete'] > ObjectExpression > Property[key.name='etag']",
  message: 'A transaction of the table client deletes a row whatever its mark is: delete it by deleteEntity.',
};
const clients = {
  selector: 'NewExpression[callee.name=/(Client|Credential)$/]',
  message: 'Only shared/wiring/services.ts and what it is made of build clients.',
};
const clock = {
  selector: "NewExpression[callee.name='Date'][arguments.length=0]",
  message: 'Take the time from a Clock.',
};
const noSyntax = (...syntax) => ({ 'no-restricted-syntax': ['error', ...syntax] });
const noImports = (...group) => ({ 'no-restricted-imports': ['error', { patterns: [{ group }] }] });

const consoleImports = {
  // Pure parts that the page shares with the service; of everything else it may have types.
  regex:
    '(\\.\\./)+(shared|functions|infra)/(?!raster/|geo/|scenes/layers/(?:palette|layers)\\.js|kit/(?:csvText|limiter|json/exactJson|errors/catalogue|validation/(?:calendar|invisibleCharacters))\\.js|farm/(?:files/(?!zip\\.js)|shapefile/)|enrollments/upload/fieldId\\.js)',
  allowTypeImports: true,
  message: 'The console takes pure code of shared/raster, shared/geo and the like, and types of everything.',
};
const nodeImports = { group: ['node:*'], message: 'The console runs in browsers.' };
const htmlSinks = [
  { selector: "JSXAttribute[name.name='dangerouslySetInnerHTML']", message: 'Texts of others stay texts.' },
  {
    selector: 'AssignmentExpression[left.property.name=/^(innerHTML|outerHTML)$/]',
    message: 'Texts of others stay texts.',
  },
  { selector: "CallExpression[callee.property.name='insertAdjacentHTML']", message: 'Texts of others stay texts.' },
];

const subjects =
  'shared/{gdd,boundary,enrollments,imagery,scenes,geo,raster,jobs,access/{licence,customers,rates,tenants}}';
const inputOutputFiles = '**/*{Store,Client,Source,Queue,Reader,Writer}.ts';

export default defineConfig(
  {
    ignores: [
      'dist/**',
      'build/**',
      'coverage/**',
      '.local/**',
      '**/*.mjs',
      '**/*.cjs',
      'clients/typescript/generated.ts',
      'clients/typescript/dist/**',
      'tests/clients/{heyApi,node_modules}/**',
    ],
  },
  tseslint.configs.strictTypeChecked,
  tseslint.configs.stylisticTypeChecked,
  {
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      complexity: ['error', 10],
      'max-lines': ['error', { max: 300, skipBlankLines: true, skipComments: true }],
      'no-restricted-properties': ['error', environment],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      ...noSyntax(clients, deletionsByMark),
    },
  },
  ...floorBlocks(),
  { files: ['shared/wiring/settings/config.ts'], rules: { 'no-restricted-properties': 'off' } },
  {
    files: ['shared/wiring/services.ts', 'shared/wiring/{areas,clients}/*.ts'],
    rules: { 'no-restricted-syntax': 'off' },
  },
  { files: ['functions/**'], rules: noImports('@azure/*', '**/storage/**', '**/dataManager/*Client*') },
  {
    files: [`${subjects}/**/*.ts`],
    ignores: [inputOutputFiles, 'shared/jobs/dataManager/**'],
    rules: {
      ...noImports(
        '@azure/*',
        'node:fs*',
        'node:http*',
        'node:net',
        'node:child_process',
        '**/storage/**',
        '!**/storage/belongings.js',
        '**/http/**',
        '**/*Client.js',
      ),
      ...noSyntax(clients, clock),
      'no-restricted-properties': [
        'error',
        environment,
        { object: 'Date', property: 'now' },
        { object: 'Math', property: 'random' },
      ],
      'no-restricted-globals': ['error', 'fetch', 'setTimeout', 'setInterval', 'process'],
    },
  },
  {
    // The stand-ins, tools and tests are programs of their own: they read their environment and build clients.
    files: ['infra/**', 'tests/**', 'tools/**', 'clients/**', 'examples/**'],
    rules: { 'no-restricted-properties': 'off', 'no-restricted-syntax': 'off' },
  },
  {
    // Runs in browsers: of the service it has pure code and the forms of answers, and no text becomes HTML.
    files: ['console/**'],
    rules: {
      '@typescript-eslint/no-restricted-imports': ['error', { patterns: [consoleImports, nodeImports] }],
      ...noSyntax(...htmlSinks),
    },
  },
  {
    files: ['console/**/*.tsx'],
    // A component is a function that names the parts of a picture: its length is that of the picture.
    rules: { complexity: ['error', 14] },
  },
  { files: ['tests/**'], rules: { 'max-lines': 'off', '@typescript-eslint/no-non-null-assertion': 'off' } },
  {
    // These look into answers of every form, as a caller does; the OpenAPI document is what checks the forms.
    files: ['tests/contract/**'],
    rules: {
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
    },
  },
);
