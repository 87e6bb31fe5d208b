import { Type } from 'typebox';
import type { FaultDetail } from '../../kit/errors/fault.js';
import { addYears, daysBetween, isDay, latestToday } from '../../kit/validation/calendar.js';
import { documentedForm } from '../../kit/validation/documentedForm.js';
import { faultsOf } from '../../kit/validation/validator.js';
import type { EnrollmentRequest } from '../record/enrollment.js';
import { SubmittedRequest } from '../record/enrollmentSchemas.js';
import { holdsInvisibleBesideJoiners, noInvisible } from '../../kit/validation/invisibleCharacters.js';
import { readJsonInput } from '../../kit/json/jsonInput.js';
import { requestBudget } from '../../kit/json/structureBudget.js';

/** Rules on monitoring periods. */
export interface PeriodRules {
  /** Earliest start date. */
  readonly earliestStart: string;
  /** Most days from the first to the last, both counted. */
  readonly maxDays: number;
  /** Most years from today to the end date. */
  readonly maxYearsAhead: number;
}

/** The request of a submission, or its faults. */
interface CheckedRequest {
  readonly request?: EnrollmentRequest;
  readonly faults: readonly FaultDetail[];
}

const Wrapped = Type.Object({ request: SubmittedRequest });

/** Reads and checks part `request` of a submission. */
export function checkRequest(bytes: Uint8Array, rules: PeriodRules, now: Date): CheckedRequest {
  const { value: sent, fault } = readJsonInput('request', bytes, requestBudget);
  if (fault !== undefined) return { faults: [fault] };
  const value = documentedForm(SubmittedRequest, sent);
  const faults = [
    ...faultsOf(Wrapped, { request: value }),
    ...descriptionFaults(value),
    ...periodFaults(value, rules, now),
  ];
  if (faults.length > 0) return { faults };
  const { image_source, start_date, end_date, description, layers } = value as SubmittedRequest;
  const request: EnrollmentRequest = {
    imageSource: image_source,
    startDate: start_date,
    endDate: end_date,
    ...(description === undefined ? {} : { description }),
    layers: layers.map(({ layer }) => layer),
  };
  return { request, faults: [] };
}

/** Checked outside the schema: languages differ in how patterns name classes of Unicode characters. */
function descriptionFaults(value: unknown): FaultDetail[] {
  const { description } = (value ?? {}) as Partial<Record<string, unknown>>;
  if (typeof description !== 'string' || !holdsInvisibleBesideJoiners(description)) return [];
  return [{ loc: ['request', 'description'], msg: `request.description ${noInvisible}`, type: 'pattern' }];
}

/** The rules on dates that the schema cannot express; the schema refuses days that do not exist. */
function periodFaults(value: unknown, rules: PeriodRules, now: Date): FaultDetail[] {
  const { start_date: start, end_date: end } = (value ?? {}) as Partial<Record<string, unknown>>;
  const faults: FaultDetail[] = [];
  const fault = (property: string, text: string, type: string): void => {
    faults.push({ loc: ['request', property], msg: `request.${property} ${text}`, type });
  };
  if (isDay(start) && start < rules.earliestStart) {
    fault('start_date', `is before ${rules.earliestStart}, the earliest day accepted`, 'too_early');
  }
  const latestEnd = addYears(latestToday(now), rules.maxYearsAhead);
  if (isDay(end) && end > latestEnd) {
    fault('end_date', `is after ${latestEnd}, the latest day accepted`, 'too_late');
  }
  if (!isDay(start) || !isDay(end)) return faults;
  const days = daysBetween(start, end) + 1;
  if (days < 1) fault('end_date', 'is before start_date; it must be the same day or later', 'before_start');
  if (days > rules.maxDays) {
    fault('end_date', `makes a period of ${days} days; at most ${rules.maxDays} are allowed`, 'too_long');
  }
  return faults;
}
