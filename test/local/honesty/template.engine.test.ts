import { describe, expect, it } from 'vitest';
import type { Resources } from '../cloud-assembly.ts';
import { readPets, withPets } from './broken.ts';

/** Reads a pet from the guarded route after a change of the template. */
async function readPet(breakTemplate: (resources: Resources) => void, path = '/pets/1') {
  return await withPets(breakTemplate, async (call, log) => ({ ...(await call(path)), log }));
}

const internalError = '{"message":"Internal server error"}';

describe('a system run from its template', () => {
  it('works while the template is whole', async () => {
    await withPets(
      () => {},
      async (call) => {
        expect(await call('/pets', {})).toMatchObject({ status: 200, body: 'hello' });
        expect(await call('/pets/1')).toMatchObject({ status: 200, body: '{}' });
        expect(await call('/pets/1', {})).toMatchObject({
          status: 401,
          headers: { 'www-authenticate': 'Bearer' },
        });
      },
    );
  });

  it('answers 500 where API Gateway may not invoke the function', async () => {
    const { status, body, log } = await readPet((resources) => {
      delete resources.PetsPermission;
    });
    expect([status, body]).toEqual([500, internalError]);
    expect(log.join('\n')).toContain('no AWS::Lambda::Permission lets API Gateway invoke');
  });

  it('answers 500 where the permission is for another API', async () => {
    const { status } = await readPet((resources) => {
      const permission = resources.PetsPermission?.Properties ?? {};
      permission.SourceArn = 'arn:aws:execute-api:us-east-2:111122223333:other/*/*/*';
    });
    expect(status).toBe(500);
  });

  it('answers 500 where API Gateway may not invoke the authorizer', async () => {
    const { status, body } = await readPet((resources) => {
      delete resources.GuardPermission;
    });
    expect([status, body]).toEqual([500, '{"message":null}']);
  });

  it('answers 502 where a variable the function needs is missing', async () => {
    const { status, body } = await readPet((resources) => {
      const { Variables } = resources.Pets?.Properties?.Environment as { Variables: Record<string, unknown> };
      delete Variables.GREETING;
    });
    expect([status, body]).toEqual([502, internalError]);
  });

  it('knows no route the template does not declare', async () => {
    const { status, body } = await readPet((resources) => {
      delete resources.ReadPet;
    });
    expect([status, body]).toEqual([403, '{"refused":"MISSING_AUTHENTICATION_TOKEN"}']);
  });

  it('refuses every key where there is no usage plan', async () => {
    const { status, body } = await readPet((resources) => {
      delete resources.Plan;
      const { Variables } = resources.Pets?.Properties?.Environment as { Variables: Record<string, unknown> };
      delete Variables.PLAN;
    });
    expect([status, body]).toEqual([403, '{"refused":"INVALID_API_KEY"}']);
  });

  it('refuses a key whose usage plan does not hold the stage', async () => {
    const { status } = await readPet((resources) => {
      if (resources.Plan?.Properties) resources.Plan.Properties.ApiStages = [];
    });
    expect(status).toBe(403);
  });

  it('lets everybody in who has no authorizer before them', async () => {
    await withPets(
      (resources) => {
        Object.assign(resources.ReadPet?.Properties ?? {}, {
          AuthorizationType: 'NONE',
          AuthorizerId: { Ref: 'AWS::NoValue' },
          ApiKeyRequired: false,
        });
      },
      async (call) => expect((await call('/pets/1', {})).status).toBe(200),
    );
  });

  it('is not reached by a host without a mapping', async () => {
    const { status, body } = await readPet((resources) => {
      delete resources.Mapping;
    });
    expect([status, body]).toEqual([403, '{"message":"Forbidden"}']);
  });

  it("denies the function what its role's policy does not allow", async () => {
    const { body } = await readPet((resources) => {
      const policy = resources.Policy?.Properties ?? {};
      policy.PolicyDocument = { Version: '2012-10-17', Statement: [readPets('dynamodb:Query', 'PET#*')] };
    });
    expect(body).toContain('AccessDeniedException');
    expect(body).toContain('dynamodb:GetItem');
  });

  it('denies the function the items of other partitions', async () => {
    const { body } = await readPet((resources) => {
      const policy = resources.Policy?.Properties ?? {};
      policy.PolicyDocument = { Version: '2012-10-17', Statement: [readPets('dynamodb:GetItem', 'DOG#*')] };
    });
    expect(body).toContain('AccessDeniedException');
  });

  it.each<[string, string, (resources: Resources) => void]>([
    [
      'no asset for its code',
      'no asset for its code',
      (resources) => Object.assign(resources.Pets?.Properties ?? {}, { Code: { S3Key: 'gone.zip' } }),
    ],
    ['no stage', 'there is no resource Stage', (resources) => delete resources.Stage],
    [
      'an integration nobody knows here',
      'integration HTTP is not known',
      (resources) => Object.assign(resources.ListPets?.Properties ?? {}, { Integration: { Type: 'HTTP' } }),
    ],
    [
      'an authorizer that is gone',
      'there is no resource Authorizer',
      (resources) => delete resources.Authorizer,
    ],
  ])('does not start with %s, and says so in one line', async (_what, message, breakTemplate) => {
    const failure = await readPet(breakTemplate).catch((error: Error) => error);
    expect(failure).toMatchObject({ name: 'AssemblyError', message: expect.stringContaining(message) });
    expect((failure as Error).message).not.toContain('\n');
  });
});
