import type { ServiceRoute, ServiceTable } from '../shared/wiring/declare.js';
import { farmAttachmentFileGet, farmAttachmentGet, farmAttachmentsList } from './farm/attachments.js';
import {
  farmCascadeFarmGet,
  farmCascadeFarmPut,
  farmCascadeFieldGet,
  farmCascadeFieldPut,
  farmCascadePartyGet,
  farmCascadePartyPut,
} from './farm/cascadeDelete.js';
import { farmFieldsGeoJson } from './farm/fieldsGeoJson.js';
import { farmFarmGet, farmFieldGet, farmPartyGet } from './farm/getLand.js';
import { farmImportGet, farmImportsCreate } from './farm/imports.js';
import { farmInsightGet, farmInsightsList } from './farm/insights.js';
import {
  farmFarmsList,
  farmFarmsOfPartyList,
  farmFieldsList,
  farmFieldsOfPartyList,
  farmPartiesList,
} from './farm/listLand.js';
import { farmFarmPut, farmFieldPut, farmPartyPut } from './farm/putLand.js';
import { farmFarmRemove, farmFieldRemove, farmPartyRemove } from './farm/removeLand.js';
import { farmFieldsSearch } from './farm/searchFields.js';
import { consoleStaticFile } from './console/file.js';
import { consoleScene } from './console/scene.js';
import { consoleSettingsFile } from './console/settings.js';
import { eventsList } from './events/list.js';
import { sentEvents } from './events/sentEvents.js';
import { eventsSchema } from './events/schema.js';
import { enrollmentsBackfill } from './enrollments/backfill.js';
import { enrollmentsGet } from './enrollments/get.js';
import { enrollmentsList } from './enrollments/list.js';
import { enrollmentsSubmit } from './enrollments/submit.js';
import { fieldsList } from './fields/list.js';
import { gddCancel } from './gdd/cancel.js';
import { gddCreate } from './gdd/create.js';
import { gddFetch } from './gdd/fetch.js';
import { imageryFeed } from './imagery/feed.js';
import { imageryExpire, imageryInterest, imageryReconcile } from './imagery/nights.js';
import { insightGet } from './insights/get.js';
import { jobsList } from './jobs/list.js';
import { operateCommandsCreate } from './operate/commands.js';
import { operateOperationGet } from './operate/operation.js';
import { operateStateGet } from './operate/state.js';
import { serviceDocs, serviceDocsFile, serviceOpenApi } from './service/docs.js';
import { serviceHealth } from './service/health.js';
import { serviceReady } from './service/ready.js';
import { smartBoundaryCancel } from './smartBoundary/cancel.js';
import { smartBoundaryCreate } from './smartBoundary/create.js';
import { smartBoundaryFetch } from './smartBoundary/fetch.js';
import { upkeepFarmCounts } from './upkeep/farmCounts.js';
import { upkeepFarmSweep } from './upkeep/farmSweep.js';
import { upkeepBackup } from './upkeep/backup.js';
import { storageAccessSasToken } from './storageAccess/sasToken.js';
import { upkeepBeat } from './upkeep/beat.js';
import { upkeepCanary } from './upkeep/canary.js';
import { upkeepDeadLetters } from './upkeep/deadLetters.js';
import { upkeepImageryWatch } from './upkeep/imageryWatch.js';
import { upkeepNotices } from './upkeep/notices.js';
import { upkeepPurge } from './upkeep/purge.js';
import { upkeepSubmissionKeys } from './upkeep/submissionKeys.js';
import { upkeepWorkSweep } from './upkeep/workSweep.js';
import { webhooksConfirm, webhooksConfirmPage } from './webhooks/confirm.js';
import { webhooksCreate, webhooksGet, webhooksList, webhooksRemove, webhooksUpdate } from './webhooks/manage.js';
import {
  webhooksDeliveries,
  webhooksPing,
  webhooksRedeliver,
  webhooksRotate,
  webhooksVerify,
} from './webhooks/operate.js';
import {
  boundaryPredict,
  discoveryWork,
  enrollmentsIngest,
  gddCalculate,
  imageryLate,
  imageryLive,
  noticesWork,
  visitsWork,
} from './work.js';

/** Farm data, on the wire of data managers. */
const farmRoutes: readonly ServiceRoute[] = [
  farmPartiesList,
  farmPartyGet,
  farmPartyPut,
  farmPartyRemove,
  farmCascadePartyPut,
  farmCascadePartyGet,
  farmFarmsList,
  farmFarmsOfPartyList,
  farmFarmGet,
  farmFarmPut,
  farmFarmRemove,
  farmCascadeFarmPut,
  farmCascadeFarmGet,
  farmFieldsSearch,
  farmFieldsList,
  farmFieldsOfPartyList,
  farmFieldGet,
  farmFieldPut,
  farmFieldRemove,
  farmCascadeFieldPut,
  farmCascadeFieldGet,
  farmInsightsList,
  farmInsightGet,
  farmAttachmentsList,
  farmAttachmentGet,
  farmAttachmentFileGet,
  farmFieldsGeoJson,
  farmImportsCreate,
  farmImportGet,
];

const routes: readonly ServiceRoute[] = [
  gddCreate,
  gddFetch,
  gddCancel,
  smartBoundaryCreate,
  smartBoundaryFetch,
  smartBoundaryCancel,
  jobsList,
  enrollmentsSubmit,
  enrollmentsGet,
  enrollmentsBackfill,
  enrollmentsList,
  fieldsList,
  storageAccessSasToken,
  insightGet,
  eventsList,
  webhooksCreate,
  webhooksList,
  webhooksGet,
  webhooksUpdate,
  webhooksRemove,
  webhooksVerify,
  webhooksPing,
  webhooksRotate,
  webhooksDeliveries,
  webhooksRedeliver,
  webhooksConfirmPage,
  webhooksConfirm,
  eventsSchema,
  ...farmRoutes,
  operateCommandsCreate,
  operateOperationGet,
  operateStateGet,
  serviceHealth,
  serviceReady,
  serviceDocs,
  serviceDocsFile,
  serviceOpenApi(() => routes, sentEvents),
];

/** Every function of the service, in the order of the specification: the table of contents. */
export const functionTable: ServiceTable = {
  routes,
  pages: [consoleScene, consoleSettingsFile, consoleStaticFile],
  queues: [
    gddCalculate,
    boundaryPredict,
    enrollmentsIngest,
    discoveryWork,
    imageryLive,
    imageryLate,
    noticesWork,
    visitsWork,
  ],
  timers: [upkeepWorkSweep],
  duties: [
    imageryFeed,
    imageryInterest,
    imageryReconcile,
    imageryExpire,
    upkeepPurge,
    upkeepSubmissionKeys,
    upkeepFarmSweep,
    upkeepNotices,
    upkeepFarmCounts,
    upkeepBackup,
    upkeepBeat,
    upkeepDeadLetters,
    upkeepImageryWatch,
    upkeepCanary,
  ],
};
