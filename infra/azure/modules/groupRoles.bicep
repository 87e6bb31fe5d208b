// What people see of a resource group: deployments, with whose outputs every command begins; logs and the workbook. What
// operators change there is the role of infra/azure/operatorRole.json, which a deployer may not define:
// infra/deploy/operators.mjs does.

import { People } from 'parameters.bicep'

@description('People and groups.')
param people People

// Built-in roles; docs/operations/rights.md shows the same table, by test.
var groupReader = 'acdd72a7-3385-48ef-bd42-f606fba81ae7'
var monitoringReader = '43d0d8ad-25c7-4714-9337-8ba259a9fe05'

var grants = filter(
  [
    { id: people.operatorGroupId, role: groupReader }
    { id: people.operatorGroupId, role: monitoringReader }
    { id: people.readerGroupId, role: groupReader }
  ],
  one => !empty(one.id)
)

resource groupGrants 'Microsoft.Authorization/roleAssignments@2022-04-01' = [
  for grant in grants: {
    name: guid(resourceGroup().id, grant.id, grant.role)
    scope: resourceGroup()
    properties: {
      principalId: grant.id
      principalType: 'Group'
      roleDefinitionId: subscriptionResourceId('Microsoft.Authorization/roleDefinitions', grant.role)
    }
  }
]
