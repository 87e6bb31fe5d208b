import type { InsightOwner, FarmAttachmentRecord, FarmInsightRecord } from './farmInsight.js';
import { commonView } from '../wire/landView.js';
import type { WireObject } from '../wire/resourceRules.js';
import { wireTime } from '../wire/wireTime.js';

type Owned = Omit<InsightOwner, 'tenant'>;

const ownerView = ({ partyId, modelId, resourceType, resourceId }: Owned): WireObject => ({
  ...{ partyId, modelId, resourceType, resourceId },
});

/** An insight as callers see it. @param attachmentsLink address of the list of its files */
export const insightView = (insight: FarmInsightRecord, attachmentsLink: string): WireObject => ({
  ...ownerView(insight),
  ...commonView(insight),
  modelVersion: insight.modelVersion,
  attachmentsLink,
  insightStartDateTime: wireTime(insight.from),
  insightEndDateTime: wireTime(insight.to),
  measurements: insight.measurements,
});

/** A file of an insight as callers see it. */
export const attachmentView = (attachment: FarmAttachmentRecord): WireObject => ({
  ...ownerView(attachment),
  ...commonView(attachment),
  insightId: attachment.insightId,
  originalFileName: attachment.originalFileName,
});
