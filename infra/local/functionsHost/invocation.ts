import { randomUUID } from 'node:crypto';
import type { RegisteredApp, RegisteredFunction } from './coreApi.js';
import type { CoreContext, FunctionCallback, InvocationResponse, TypedData } from './rpc.js';
import { traceContextOf } from './traceContext.js';

/** What starts one run. */
export interface Invocation {
  readonly invocationId?: string;
  readonly inputs: Readonly<Record<string, TypedData>>;
  readonly triggerMetadata?: Readonly<Record<string, TypedData>>;
  readonly traceParent?: string | undefined;
  readonly traceState?: string | undefined;
}

/** Runs one function once; rejects with what the function threw. */
export type Invoke = (target: RegisteredFunction, invocation: Invocation) => Promise<InvocationResponse>;

/** What one run shares between its steps; the hooks may replace inputs, callback, result and error. */
interface Run {
  hookData: Record<string, unknown>;
  invocationContext: unknown;
  inputs: unknown[];
  functionCallback: FunctionCallback;
  result?: unknown;
  error?: unknown;
}

export class FunctionTimeout extends Error {}

function contextOf(app: RegisteredApp, target: RegisteredFunction, invocation: Invocation): CoreContext {
  const invocationId = invocation.invocationId ?? randomUUID();
  return {
    invocationId,
    metadata: { name: target.name, bindings: target.bindings },
    state: undefined,
    request: {
      invocationId,
      functionId: target.id,
      inputData: Object.entries(invocation.inputs).map(([name, data]) => ({ name, data })),
      triggerMetadata: invocation.triggerMetadata ?? {},
      traceContext: traceContextOf(invocation.traceParent, invocation.traceState),
    },
    log: (level, category, message) => {
      app.log({ level, category, message, functionName: target.name });
    },
  };
}

/** Rejects when the run takes longer than the host allows. */
async function withTimeout<T>(work: Promise<T>, name: string, limitMs: number): Promise<T> {
  if (!Number.isFinite(limitMs)) return work;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    const message = `${name} ran longer than functionTimeout (${limitMs / 1000} s).`;
    timer = setTimeout(() => {
      reject(new FunctionTimeout(message));
    }, limitMs);
    timer.unref();
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

async function runSteps(
  app: RegisteredApp,
  core: CoreContext,
  target: RegisteredFunction,
): Promise<InvocationResponse> {
  const model = app.model().getInvocationModel(core);
  const { context, inputs } = await model.getArguments();
  const run: Run = { hookData: {}, invocationContext: context, inputs, functionCallback: target.callback };
  core.state = 'preInvocationHooks';
  await app.runHooks('preInvocation', run as unknown as Record<string, unknown>);
  core.state = 'invocation';
  try {
    run.result = await model.invokeFunction(context, run.inputs, run.functionCallback);
  } catch (error) {
    run.error = error;
  }
  core.state = 'postInvocationHooks';
  await app.runHooks('postInvocation', run as unknown as Record<string, unknown>);
  core.state = undefined;
  if (run.error instanceof Error) throw run.error;
  if (run.error !== undefined && run.error !== null) throw new Error(`Thrown: ${JSON.stringify(run.error)}`);
  return model.getResponse(context, run.result);
}

/** One run: arguments, preInvocation hooks, the function, postInvocation hooks (after a throw too), the response. */
export const invoker =
  (app: RegisteredApp, functionTimeoutMs: number): Invoke =>
  (target, invocation) =>
    withTimeout(runSteps(app, contextOf(app, target, invocation), target), target.name, functionTimeoutMs);
