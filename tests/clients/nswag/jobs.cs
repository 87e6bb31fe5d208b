// The six calls that a farm system makes, with the client as NSwag has generated it.
using System.Net.Http.Headers;
using System.Text.Json.Nodes;
using Stranger;

var service = JsonNode.Parse(File.ReadAllText(Environment.GetEnvironmentVariable("SERVICE_FILE")!))!;
string Text(string name) => service[name]!.GetValue<string>();
var http = new HttpClient();
http.DefaultRequestHeaders.Authorization = new AuthenticationHeaderValue("Bearer", Text("jwt"));
http.DefaultRequestHeaders.Add("Api-Key", Text("apiKey"));
var client = new Client(http) { BaseUrl = Text("baseUrl") };

var path = $"/v1/gdd/nswag-{DateTime.UtcNow.Ticks}";

var created = await client.GddCreateAsync(new GddJobCreate
{
    RequestPath = path,
    PartnerRequestBody = new GddJobParameters
    {
        PartyId = Guid.Parse(Text("partyId")),
        ResourceType = GddJobParametersResourceType.Field,
        ResourceId = Guid.Parse(service["fieldIds"]![0]!.GetValue<string>()),
        Crop = GddJobParametersCrop.CORN,
        GddStartDate = new DateTimeOffset(2025, 5, 1, 0, 0, 0, TimeSpan.Zero),
        GddEndDate = new DateTimeOffset(2025, 9, 30, 0, 0, 0, TimeSpan.Zero),
    },
});
Console.WriteLine($"create {created.Status}");
GddJob job;
do
{
    await Task.Delay(1000);
    job = await client.GddFetchAsync(new GddJobPath { RequestPath = path });
} while (job.Status is GddJobStatus.WAITING or GddJobStatus.RUNNING);
Console.WriteLine($"fetch {job.Status}");
Console.WriteLine($"insight {((GddInsight)await client.InsightGetAsync(job.InsightId.ToString())).Total}");

var enrollment = await client.EnrollmentsSubmitAsync(
    request: new EnrollmentRequest
    {
        Image_source = EnrollmentRequestImage_source.Sentinel2L2a,
        Start_date = DateTimeOffset.UtcNow.AddDays(2),
        End_date = DateTimeOffset.UtcNow.AddDays(20),
        Layers = [new Layers { Layer = LayersLayer.Ndvi }],
    },
    geojson: Read<FieldCollection>(File.ReadAllText(args[0])));
Console.WriteLine($"submit {enrollment.Status}");
Console.WriteLine($"list {(await client.EnrollmentsListAsync()).Items.Count(item => item.Enrollment_id == enrollment.Enrollment_id)}");
Console.WriteLine($"storage {(await client.StorageAccessSasTokenAsync()).Path}");

#if SYSTEM_TEXT_JSON
static T Read<T>(string json) => System.Text.Json.JsonSerializer.Deserialize<T>(json)!;
#else
static T Read<T>(string json) => Newtonsoft.Json.JsonConvert.DeserializeObject<T>(json)!;
#endif
