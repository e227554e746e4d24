import type { Resources } from './cloud-assembly.ts';

const ref = (Ref: string) => ({ Ref });
const arnOf = (logicalId: string) => ({ 'Fn::GetAtt': [logicalId, 'Arn'] });
const invocationOf = (logicalId: string) => ({
  'Fn::Join': [
    '',
    [
      'arn:aws:apigateway:',
      ref('AWS::Region'),
      ':lambda:path/2015-03-31/functions/',
      arnOf(logicalId),
      '/invocations',
    ],
  ],
});

function lambda(key: string, properties: Record<string, unknown> = {}) {
  return {
    Type: 'AWS::Lambda::Function',
    Properties: {
      Runtime: 'nodejs24.x',
      Handler: 'index.handler',
      Code: { S3Bucket: 'assets', S3Key: `${key}.zip` },
      Role: arnOf('Role'),
      ...properties,
    },
  };
}

function permission(functionName: string, path: string) {
  return {
    Type: 'AWS::Lambda::Permission',
    Properties: {
      Action: 'lambda:InvokeFunction',
      Principal: 'apigateway.amazonaws.com',
      FunctionName: arnOf(functionName),
      SourceArn: {
        'Fn::Sub': `arn:aws:execute-api:\${AWS::Region}:\${AWS::AccountId}:\${Api}/${path}`,
      },
    },
  };
}

function resource(pathPart: string, parent: unknown) {
  return {
    Type: 'AWS::ApiGateway::Resource',
    Properties: { RestApiId: ref('Api'), ParentId: parent, PathPart: pathPart },
  };
}

function method(httpMethod: string, resourceId: string, properties: Record<string, unknown> = {}) {
  return {
    Type: 'AWS::ApiGateway::Method',
    Properties: {
      RestApiId: ref('Api'),
      ResourceId: ref(resourceId),
      HttpMethod: httpMethod,
      AuthorizationType: 'NONE',
      Integration: { Type: 'AWS_PROXY', IntegrationHttpMethod: 'POST', Uri: invocationOf('Pets') },
      ...properties,
    },
  };
}

const guarded = { AuthorizationType: 'CUSTOM', AuthorizerId: ref('Authorizer'), ApiKeyRequired: true };

/**
 * An API at `pets.localhost`: `GET /pets` is public, `GET /pets/{id}` has an authorizer and needs a key, `ANY /files/{path+}` is a proxy,
 * and there is a preflight. Each call returns a new copy, which tests may break.
 */
export function petsApi(): Resources {
  return {
    Api: { Type: 'AWS::ApiGateway::RestApi', Properties: { Name: 'pets', ApiKeySourceType: 'AUTHORIZER' } },
    PetsResource: resource('pets', { 'Fn::GetAtt': ['Api', 'RootResourceId'] }),
    PetResource: resource('{id}', ref('PetsResource')),
    FilesResource: resource('files', { 'Fn::GetAtt': ['Api', 'RootResourceId'] }),
    FileResource: resource('{path+}', ref('FilesResource')),
    ListPets: method('GET', 'PetsResource'),
    ReadPet: method('GET', 'PetResource', guarded),
    AnyFile: method('ANY', 'FileResource'),
    Preflight: method('OPTIONS', 'PetResource', {
      Integration: {
        Type: 'MOCK',
        RequestTemplates: { 'application/json': '{ statusCode: 204 }' },
        IntegrationResponses: [
          {
            StatusCode: '204',
            ResponseParameters: { 'method.response.header.Access-Control-Allow-Origin': "'*'" },
          },
        ],
      },
      MethodResponses: [
        {
          StatusCode: '204',
          ResponseParameters: { 'method.response.header.Access-Control-Allow-Origin': true },
        },
      ],
    }),
    Authorizer: {
      Type: 'AWS::ApiGateway::Authorizer',
      Properties: {
        RestApiId: ref('Api'),
        Name: 'keys',
        Type: 'REQUEST',
        AuthorizerUri: invocationOf('Guard'),
        AuthorizerResultTtlInSeconds: 30,
        IdentitySource: 'method.request.header.x-pet-key,method.request.header.Authorization',
      },
    },
    Deployment: { Type: 'AWS::ApiGateway::Deployment', Properties: { RestApiId: ref('Api') } },
    Stage: {
      Type: 'AWS::ApiGateway::Stage',
      Properties: {
        RestApiId: ref('Api'),
        DeploymentId: ref('Deployment'),
        StageName: 'live',
        Variables: { colour: 'brown' },
      },
    },
    Domain: { Type: 'AWS::ApiGateway::DomainName', Properties: { DomainName: 'pets.localhost' } },
    Mapping: {
      Type: 'AWS::ApiGateway::BasePathMapping',
      Properties: { DomainName: ref('Domain'), RestApiId: ref('Api'), Stage: ref('Stage') },
    },
    Unauthorized: {
      Type: 'AWS::ApiGateway::GatewayResponse',
      Properties: {
        RestApiId: ref('Api'),
        ResponseType: 'UNAUTHORIZED',
        ResponseParameters: {
          'gatewayresponse.header.WWW-Authenticate': "'Bearer'",
          'gatewayresponse.header.X-Request-Id': 'context.requestId',
        },
        ResponseTemplates: {
          'application/json': '{"error":$context.error.messageString,"at":"$context.resourcePath"}',
        },
      },
    },
    Default4xx: {
      Type: 'AWS::ApiGateway::GatewayResponse',
      Properties: {
        RestApiId: ref('Api'),
        ResponseType: 'DEFAULT_4XX',
        ResponseTemplates: { 'application/json': '{"refused":"$context.error.responseType"}' },
      },
    },
    Plan: {
      Type: 'AWS::ApiGateway::UsagePlan',
      Properties: {
        ApiStages: [{ ApiId: ref('Api'), Stage: ref('Stage') }],
        Throttle: { RateLimit: 1, BurstLimit: 3 },
        Quota: { Limit: 5, Period: 'DAY' },
      },
    },
    Role: { Type: 'AWS::IAM::Role', Properties: {} },
    Pets: lambda('pets', { Environment: { Variables: { GREETING: 'hello', PLAN: ref('Plan') } } }),
    Guard: lambda('guard'),
    PetsPermission: permission('Pets', '*/*/*'),
    GuardPermission: permission('Guard', 'authorizers/*'),
  };
}
