import { FILE } from './farmCallers.js';

/** What the program of a generated client must write: each operation on farm data, with its outcome. */
export const wireSteps = {
  'party put': 'true',
  'party get': 'Grower',
  parties: 'true',
  'farm put': 'Farm',
  'farm get': 'true',
  farms: '',
  'farms of party': 'farm',
  'fields put': 'twelve',
  'field get': 'true',
  'field sent back': 'Changed',
  'fields by pages': '12',
  'fields found': 'f12',
  'field removed': '204',
  error: 'ResourceNotFound',
  insights: 'insight',
  insight: '212.5',
  attachments: 'file',
  attachment: 'gdd.csv',
  file: FILE,
  'fields cascade': 'Succeeded',
  'farms cascade': 'Succeeded',
  'parties cascade': 'Succeeded',
  'farm removed': '204',
  'party removed': '204',
};

/** The same with the lists that the version of 2023-11-01-preview has no more. */
export const documentSteps = { ...wireSteps, 'fields of ids': 'f10 f11', 'fields since': '12' };
