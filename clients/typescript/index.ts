export { Refusal, type ClientOptions } from './connection.js';
export { FarmData, Land, type ImportOptions, type InsightOwner } from './farm.js';
export { FieldClient, type SubmitOptions } from './fieldClient.js';
export { FieldStorage, type FolderAccess, type IndexedDay } from './fieldStorage.js';
export { Jobs } from './jobs.js';
export { isSameJob } from './sameJob.js';
export type { Progress } from './upload.js';
export type { components, operations, paths } from './generated.js';
